export type Cell = number | string | null;

const numeric = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

function cell(text: string): Cell {
  if (text === '') return null;
  return numeric.test(text) ? Number(text) : text;
}

/** Lines of CSV as the program writes them: quotes only where a comma, a quote or an end of line is inside. */
export function rowsOf(csv: string): Cell[][] {
  const rows: Cell[][] = [];
  const row: Cell[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\n]*))(,|\n)/g)) {
    row.push(quoted === undefined ? cell(plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push(row.splice(0));
  }
  return rows;
}

// Data and pictures to take home.

export type Columns = [heading: string, values: (number | string | null)[]][];

function csvCell(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns of any lengths; a shorter one ends with empty cells. */
export function csvText(columns: Columns): string {
  const length = Math.max(0, ...columns.map(([, values]) => values.length));
  const rows = [columns.map(([heading]) => csvCell(heading)).join(',')];
  for (let row = 0; row < length; row += 1) rows.push(columns.map(([, values]) => csvCell(values[row])).join(','));
  return `${rows.join('\n')}\n`;
}

// What a drawing program needs of the page's style sheet.
const drawn = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity', 'font-size', 'font-family', 'font-weight', 'font-style', 'text-anchor', 'dominant-baseline'];

/** The picture as a file of its own, in the colors it has on the page. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of drawn) copies[index]?.setAttribute(name, style.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

export function download(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

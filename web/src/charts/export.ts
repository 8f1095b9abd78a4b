// Data and pictures to take home.

export type Columns = [heading: string, values: (number | string | null)[]][];

function csvCell(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Each heading once: another of the same name gets a number. */
function headings(columns: Columns): string[] {
  const names = columns.map(([heading]) => heading);
  return names.map((name, i) => (names.indexOf(name) < i ? `${name}_${names.slice(0, i + 1).filter((one) => one === name).length}` : name));
}

/** Columns of any lengths; a shorter one ends with empty cells. */
export function csvText(columns: Columns): string {
  const length = Math.max(0, ...columns.map(([, values]) => values.length));
  const rows = [headings(columns).map(csvCell).join(',')];
  for (let row = 0; row < length; row += 1) rows.push(columns.map(([, values]) => csvCell(values[row])).join(','));
  return `${rows.join('\n')}\n`;
}

// What a drawing program needs of the page's style sheet.
const drawn = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity', 'font-size', 'font-family', 'font-weight', 'font-style', 'text-anchor', 'dominant-baseline', 'paint-order'];

/** The picture with the page's style written into it. */
function styled(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of drawn) copies[index]?.setAttribute(name, style.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  return copy;
}

const space = 'http://www.w3.org/2000/svg';

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Pictures as one file, below each other, each with its title, in the colors that they have on the page. */
export function svgText(pictures: SVGSVGElement[]): string {
  const margin = 16;
  const titleHeight = 24;
  const page = getComputedStyle(document.body);
  const sheet = element('svg', { xmlns: space });
  const ground = element('rect', { width: '100%', height: '100%', fill: page.backgroundColor });
  sheet.append(ground);
  let top = margin;
  let widest = 0;
  for (const picture of pictures) {
    const { width, height } = picture.getBoundingClientRect();
    const title = element('text', { x: margin, y: top + 12, fill: page.color, 'font-size': 14, 'font-weight': 600, 'font-family': 'sans-serif' });
    const legend = picture.dataset.legend ? ` (${picture.dataset.legend})` : '';
    title.textContent = (picture.querySelector('title')?.textContent ?? '') + legend;
    const copy = styled(picture);
    for (const [key, value] of Object.entries({ x: margin, y: top + titleHeight, width, height })) copy.setAttribute(key, String(value));
    sheet.append(title, copy);
    top += titleHeight + height + margin;
    widest = Math.max(widest, width);
  }
  sheet.setAttribute('width', String(widest + 2 * margin));
  sheet.setAttribute('height', String(top));
  return `${new XMLSerializer().serializeToString(sheet)}\n`;
}

export function download(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

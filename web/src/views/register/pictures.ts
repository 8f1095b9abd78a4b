import type { Axis, Line, Point } from '../../charts/types';
import type { Picture } from '../../engine/engine';

// From what the engine draws to what a chart is told.

/** The density: through the middles of its steps or, with few and wide ones, the stairs themselves. */
export function densityPoints(picture: Picture): Point[] {
  if (picture.has_atoms) return picture.steps.flatMap(([left, right, density]): Point[] => [[left, density], [right, density]]);
  const first = picture.steps[0];
  const last = picture.steps[picture.steps.length - 1];
  if (!first || !last) return [];
  const middles = picture.steps.map(([left, right, density]): Point => [(left + right) / 2, density]);
  return [[first[0], first[2]], ...middles, [last[1], last[2]]];
}

export function densityAt(picture: Picture, x: number): number {
  const step = picture.steps.find(([left, right]) => left <= x && x < right);
  return step ? step[2] : 0;
}

export const highest = (picture: Picture): number => Math.max(0, ...picture.steps.map(([, , density]) => density));

type Cell = [left: number, right: number, width: number];

/** Widths of cells on one side of zero, as sizes: on the right side if there is one. */
function sideCells(picture: Picture): Cell[] {
  const known: Cell[] =
    picture.bands.length > 0
      ? picture.bands
      : picture.cells.map(([left, right]): Cell => [left, right, right - left]);
  const right = known.filter(([from]) => from >= 0);
  const side = right.length > 0 ? right : known.map(([from, to, width]): Cell => [-to, -from, width]).reverse();
  return side.filter(([from, to, width]) => to > 0 && width > 0 && from < to);
}

export interface Widths {
  x: Axis;
  y: Axis;
  lines: Line[];
}

/** Bands do not quite touch: they end in the middle of a cell. A larger share of the axis is a true gap. */
const gap = 0.004;
/** A logarithmic axis where the widths go over more than two binades. */
const manyTimes = 4;

/** The true width of cells and, with a precision p, the smooth one [eq:step_approx]. */
export function widthsOf(picture: Picture, p: number | null): Widths | null {
  const cells = sideCells(picture);
  const first = cells[0];
  const last = cells[cells.length - 1];
  if (!first || !last) return null;
  const least = cells.find(([from]) => from > 0)?.[0] ?? last[1] / 100;
  const isLog = last[1] / least > manyTimes;
  const from = isLog ? least : first[0];
  const steps: Point[] = [];
  for (const [left, right, width] of cells) {
    const before = steps[steps.length - 1];
    if (before && left - before[0] > gap * (last[1] - from)) steps.push([before[0], NaN]);
    steps.push([Math.max(left, from), width], [right, width]);
  }
  const smooth = (x: number): number => (Math.abs(x) * 2 ** (1 - (p ?? 0))) / Math.SQRT2;
  const all = cells.map(([, , width]) => width).concat(p === null ? [] : [smooth(from), smooth(last[1])]);
  const sizes = all.filter((width) => width > 0);
  const lines: Line[] = [{ name: 'true width Δ(x)', points: steps, color: 'mantissa' }];
  if (p !== null) {
    lines.push({ name: 'smooth width Δₛ(x)', points: smoothPoints(from, last[1], isLog, smooth), color: 'exponent', dashed: true });
  }
  return {
    x: { label: '|x|', kind: isLog ? 'log' : 'linear', domain: [from, last[1]] },
    y: { label: 'width of a cell', kind: 'log', domain: [Math.min(...sizes) / 1.5, Math.max(...sizes) * 1.5] },
    lines,
  };
}

function smoothPoints(from: number, to: number, isLog: boolean, smooth: (x: number) => number): Point[] {
  const count = isLog ? 2 : 40;
  return Array.from({ length: count }, (_, index): Point => {
    const share = index / (count - 1);
    const x = isLog ? from * (to / from) ** share : from + share * (to - from);
    return [x, smooth(x)];
  });
}

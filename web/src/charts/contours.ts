import type { Point } from './types';

// Contours of a function on a lattice, by marching squares, as paths for SVG.

/** values[column][row] at (xs[column], ys[row]), both ascending. */
export interface Lattice {
  xs: number[];
  ys: number[];
  values: number[][];
}

type Project = (x: number, y: number) => Point;

interface Corner {
  at: Point;
  value: number;
}

const coordinate = (value: number): string => value.toFixed(1);

const written = ([x, y]: Point): string => `${coordinate(x)} ${coordinate(y)}`;

function crossing(one: Corner, other: Corner, level: number): Point {
  // A value that is infinite stands at the far end of its edge.
  const share = Number.isFinite(one.value) ? (level - one.value) / (other.value - one.value) : 1;
  const t = Number.isFinite(other.value) || !Number.isFinite(one.value) ? share : 0;
  return [one.at[0] + t * (other.at[0] - one.at[0]), one.at[1] + t * (other.at[1] - one.at[1])];
}

const isAbove = (corner: Corner, level: number): boolean => corner.value >= level;

/** Corners of a cell, around it. */
function corners(lattice: Lattice, column: number, row: number, project: Project): Corner[] {
  const around: Point[] = [
    [column, row],
    [column + 1, row],
    [column + 1, row + 1],
    [column, row + 1],
  ];
  return around.map(([i, j]) => ({ at: project(lattice.xs[i], lattice.ys[j]), value: lattice.values[i][j] }));
}

/** The part of a cell that is not below the level: what is left of its four corners, and where its edges cross. */
function partAbove(cell: Corner[], level: number): Point[] {
  return cell.flatMap((corner, i) => {
    const next = cell[(i + 1) % 4];
    const own: Point[] = isAbove(corner, level) ? [corner.at] : [];
    return isAbove(corner, level) === isAbove(next, level) ? own : [...own, crossing(corner, next, level)];
  });
}

/** The line through a cell; through a saddle go two. */
function lineThrough(cell: Corner[], level: number): Point[] {
  return cell.flatMap((corner, i) => {
    const next = cell[(i + 1) % 4];
    return isAbove(corner, level) === isAbove(next, level) ? [] : [crossing(corner, next, level)];
  });
}

/** Cells that are above as a whole, one upon another, are one rectangle: paths stay short. */
function columnAbove(lattice: Lattice, column: number, level: number, project: Project): string {
  const parts: string[] = [];
  let whole: Corner[] | null = null;
  const put = (part: Point[]): number => parts.push(`M${part.map(written).join('L')}Z`);
  const putWhole = (): void => {
    if (whole) put(whole.map((corner) => corner.at));
    whole = null;
  };
  for (let row = 0; row + 1 < lattice.ys.length; row++) {
    const cell = corners(lattice, column, row, project);
    if (cell.every((corner) => isAbove(corner, level))) {
      whole = whole ? [whole[0], whole[1], cell[2], cell[3]] : cell;
    } else {
      putWhole();
      const part = partAbove(cell, level);
      if (part.length > 2) put(part);
    }
  }
  putWhole();
  return parts.join('');
}

/** Where the function is not below the level, as a filled path. */
export function regionAbove(lattice: Lattice, level: number, project: Project): string {
  const columns = lattice.xs.slice(1);
  return columns.map((_, column) => columnAbove(lattice, column, level, project)).join('');
}

export type Piece = [from: Point, to: Point];

/** The contour itself, in pieces. */
export function contour(lattice: Lattice, level: number, project: Project): Piece[] {
  const pieces: Piece[] = [];
  for (let column = 0; column + 1 < lattice.xs.length; column++) {
    for (let row = 0; row + 1 < lattice.ys.length; row++) {
      const ends = lineThrough(corners(lattice, column, row, project), level);
      for (let i = 0; i + 1 < ends.length; i += 2) pieces.push([ends[i], ends[i + 1]]);
    }
  }
  return pieces;
}

export const pathOf = (pieces: Piece[]): string =>
  pieces.map(([from, to]) => `M${written(from)}L${written(to)}`).join('');

/** Where to write a contour's height: where it crosses the way from one point to another, or close to it. */
export function labelPlace(pieces: Piece[], from: Point, to: Point): Point | null {
  const way: Point = [to[0] - from[0], to[1] - from[1]];
  let best: Point | null = null;
  let least = Infinity;
  for (const [one, other] of pieces) {
    const middle: Point = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const out: Point = [middle[0] - from[0], middle[1] - from[1]];
    const aside = Math.abs(out[0] * way[1] - out[1] * way[0]) / Math.hypot(...way);
    if (aside < least && out[0] * way[0] + out[1] * way[1] > 0) {
      least = aside;
      best = middle;
    }
  }
  return best;
}

/** Round heights below the highest, evenly spaced, and two low ones for the bottom of the valley; ascending. */
export function roundLevels(highest: number, most: number): number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [];
  const power = 10 ** Math.floor(Math.log10(highest / most));
  const step = power * ([1, 2, 5].find((digit) => digit * power * most >= highest) ?? 10);
  const count = Math.ceil(highest / step) - 1;
  const even = Array.from({ length: count }, (_, i) => (i + 1) * step);
  return [step / 5, step / 2, ...even].map((level) => Number(level.toPrecision(3)));
}

/** Half way between four evenly spaced values, the second and the third of them: Catmull and Rom's spline. */
const halfWay = (a: number, b: number, c: number, d: number): number => (9 * (b + c) - (a + d)) / 16;

function halved<Item>(items: Item[], between: (a: Item, b: Item, c: Item, d: Item) => Item): Item[] {
  const last = items.length - 1;
  return items.flatMap((item, i) =>
    i === last ? [item] : [item, between(items[Math.max(0, i - 1)], item, items[i + 1], items[Math.min(last, i + 2)])],
  );
}

/** A lattice with a point between every two: so that contours of a coarse one look as round as they are. */
export function refined({ xs, ys, values }: Lattice): Lattice {
  const middle = (_: number, b: number, c: number): number => (b + c) / 2;
  const columns = values.map((column) => halved(column, halfWay));
  return {
    xs: halved(xs, middle),
    ys: halved(ys, middle),
    values: halved(columns, (a, b, c, d) => b.map((_, row) => halfWay(a[row], b[row], c[row], d[row]))),
  };
}

import type { Line, Point } from '../../charts/types';
import type { Table } from '../../engine/engine';
import type { Curve } from '../../words/stories';

const numberOf = (cell: number | string | null | undefined): number => (typeof cell === 'number' ? cell : NaN);

/** The columns of a sweep: the key, the entropy, its bar and, if asked for, a formula. */
export function curveOf(table: Table): Curve {
  const column = (index: number): number[] => table.rows.map((row) => numberOf(row[index]));
  return { xs: column(0), exact: column(1), smooth: column(3) };
}

const points = (xs: number[], ys: number[]): Point[] => xs.map((x, index): Point => [x, ys[index] ?? NaN]);

export function linesOf(curve: Curve, approximation: string): Line[] {
  const name = approximation === 'eq:diff_approx' ? 'Approximation 1' : 'smooth formula';
  return [
    { name: 'exact', points: points(curve.xs, curve.exact), color: 'mantissa' },
    { name, points: points(curve.xs, curve.smooth), color: 'exponent', dashed: true },
  ].filter((line) => line.points.some(([, y]) => Number.isFinite(y))) as Line[];
}

import type { Line, Point } from '../../charts/types';
import type { Table } from '../../engine/engine';
import type { Curve } from '../../words/stories';

const numberOf = (cell: number | string | null | undefined): number => (typeof cell === 'number' ? cell : NaN);

const column = (table: Table, index: number): number[] => table.rows.map((row) => numberOf(row[index]));

/** The columns of a sweep: the key, the entropy and its bar; and of one of a formula, if there is one. */
export function curveOf(table: Table, formula: Table | null): Curve {
  return {
    xs: column(table, 0),
    exact: column(table, 1),
    smooth: formula ? { xs: column(formula, 0), bits: column(formula, 1) } : { xs: [], bits: [] },
  };
}

const points = (xs: number[], ys: number[]): Point[] => xs.map((x, index): Point => [x, ys[index] ?? NaN]);

export function linesOf(curve: Curve, approximation: string): Line[] {
  const name = approximation === 'eq:diff_approx' ? 'Approximation 1' : 'smooth formula';
  return [
    { name: 'exact', points: points(curve.xs, curve.exact), color: 'mantissa' },
    { name, points: points(curve.smooth.xs, curve.smooth.bits), color: 'exponent', dashed: true },
  ].filter((line) => line.points.some(([, y]) => Number.isFinite(y))) as Line[];
}

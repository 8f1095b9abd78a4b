import type { Bar, Line, Point } from '../../charts/types';
import type { Measured } from '../../engine/measure-answers';

/** What is rarer than this is not seen in a picture. */
const visible = 2e-4;

export interface Histogram {
  domain: [number, number];
  top: number;
  bars: Bar[];
  line: Line;
}

/** How often each power of two occurs, and how often a normal law of the same deviation has it. */
export function histogramOf(row: Measured): Histogram | null {
  const seen = row.exponents?.filter((one) => Math.max(one.seen, one.normal ?? 0) >= visible) ?? [];
  const first = seen[0];
  const last = seen[seen.length - 1];
  if (!first || !last) return null;
  const normal = new Map(seen.map((one) => [one.exponent, one.normal]));
  const points: Point[] = [];
  for (let exponent = first.exponent; exponent <= last.exponent; exponent += 1) {
    points.push([exponent - 0.5, normal.get(exponent) ?? NaN]);
  }
  points.push([last.exponent + 0.5, last.normal ?? NaN]);
  return {
    domain: [first.exponent - 0.7, last.exponent + 0.7],
    top: 1.08 * Math.max(...seen.map((one) => Math.max(one.seen, one.normal ?? 0))),
    bars: seen.map((one) => ({
      left: one.exponent - 0.45,
      right: one.exponent + 0.45,
      value: one.seen,
      color: 'exponent' as const,
    })),
    line: { name: 'normal law around zero, of the same deviation', points, color: 'ink', dashed: true, stairs: true },
  };
}

import { asNumber, type ScalingAnswer } from '../engine/answers';
import type { OptimumState } from '../state/learning';
import { short } from './number';
import { hasFeatures } from './optimum';

const amount = (value: number): string => short(value, 3);

function rows(n: number, optimum: OptimumState): string {
  const thing = hasFeatures(optimum) ? 'row' : 'point';
  const count = n === 1 ? `one ${thing}` : `${short(n, 7)} ${thing}s`;
  return optimum.features > 1 ? `${count} of ${optimum.features} features` : count;
}

function balance(answer: ScalingAnswer, optimum: OptimumState): string {
  const revenue = asNumber(answer.revenue);
  const energy = optimum.energyPrice * asNumber(answer.energy_joules);
  return `Predictions bring ${amount(revenue)}, energy takes ${amount(energy)}.`;
}

export interface Hill {
  n: number;
  profit: number;
}

/** How far one falls at least on the way from a hill to what is higher than it, by more than `slack`. */
function prominence({ n, profit }: Hill, sizes: Hill[], slack: number): number {
  const fall = (way: Hill[]): number => {
    const end = way.findIndex((size) => size.profit > profit + slack);
    return end < 0 ? Infinity : profit - Math.min(profit, ...way.slice(0, end).map((size) => size.profit));
  };
  return Math.min(fall(sizes.filter((size) => size.n > n)), fall(sizes.filter((size) => size.n < n).reverse()));
}

/** The other hills of the profit, highest first: what is best of its phase need not be one that can be seen. */
export function otherHills(answer: ScalingAnswer): Hill[] {
  const sizes = (answer.at ?? []).map((size) => ({ n: size.n, profit: asNumber(size.profit) }));
  const slack = 0.01 * Math.max(...answer.optima.map((one) => Math.abs(asNumber(one.profit))).filter(Number.isFinite));
  const others = answer.optima.filter((one) => !one.global).map((one) => ({ n: one.n, profit: asNumber(one.profit) }));
  return others.filter((one) => prominence(one, sizes, slack) > slack).sort((one, other) => other.profit - one.profit);
}

/** Whether even the best size loses. */
export const isLoss = (answer: ScalingAnswer): boolean => answer.phase === 'none' || asNumber(answer.profit) < 0;

function aboutHills(answer: ScalingAnswer): string {
  const [other] = otherHills(answer);
  if (!other) return '';
  const n = asNumber(answer.n_star);
  return other.n < n
    ? `There is another hill, at ${short(other.n, 7)} points: who climbs from there stays there, with ${amount(other.profit)}.`
    : `The other hill, at ${short(other.n, 7)} points, is down to ${amount(other.profit)}.`;
}

function aboutCorner(answer: ScalingAnswer, optimum: OptimumState): string {
  const place =
    optimum.kind === 'sgd'
      ? `Energy is so dear that the best size has collapsed to a single batch of ${rows(optimum.batch, optimum)}`
      : `Energy is so dear that the smallest size is best, ${rows(asNumber(answer.n_star), optimum)}`;
  const profit = asNumber(answer.profit);
  return `${place}${profit < 0 ? `, and even that loses ${amount(-profit)}` : `, which earns ${amount(profit)}`}.`;
}

function aboutPhase(answer: ScalingAnswer, optimum: OptimumState): string {
  const n = asNumber(answer.n_star);
  const critical = `${short(asNumber(answer.critical_price), 3)} a joule`;
  if (answer.phase === 'none') return `Do not train: above ${critical} every size loses.`;
  const asked = `Train on ${rows(n, optimum)}; up to ${critical} training pays. ${balance(answer, optimum)}`;
  if (optimum.kind !== 'exact') return asked;
  if (answer.phase === 'one') return `${asked} One row erases only about one register: all others are kept as the model.`;
  return `${asked} Around n = ${optimum.features} least squares fits the noise, and its error is infinite: never interpolate.`;
}

export function optimumStory(answer: ScalingAnswer, optimum: OptimumState): string {
  const n = asNumber(answer.n_star);
  if (answer.phase) return aboutPhase(answer, optimum);
  if (!Number.isFinite(n)) return 'There is no best size: every further point brings more than it costs.';
  if (answer.place === 'corner') return `${aboutCorner(answer, optimum)} ${aboutHills(answer)}`.trim();
  const next = optimum.kind === 'sgd' ? 'one more batch' : 'one more';
  return `Train on ${rows(n, optimum)}: ${next} would cost more than it earns. ${balance(answer, optimum)} ${aboutHills(answer)}`.trim();
}

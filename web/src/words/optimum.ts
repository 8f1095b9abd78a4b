import type { Phase } from '../engine/answers';
import type { OptimumState } from '../state/learning';
import { plain } from './number';
import { descentOptions, entropyOption, options, taskOptions, type Entropy } from './options';

function marketOptions(optimum: OptimumState): string[] {
  return options({
    'energy-price': optimum.energyPrice,
    'inference-price': optimum.inferencePrice,
    kbt: optimum.kbt,
  });
}

/** Ridge regression and what happens around n = d are for several features; one is the paper's problem. */
export const hasFeatures = (optimum: OptimumState): boolean => optimum.features > 1 || optimum.kind === 'ridge';

function featureOption(optimum: OptimumState): string[] {
  return hasFeatures(optimum) ? options({ features: optimum.features }) : [];
}

export function optimumWords(format: string, optimum: OptimumState, entropy: Entropy, sizes: number[]): string[] {
  return [
    'scaling',
    optimum.kind,
    format,
    ...marketOptions(optimum),
    ...taskOptions(optimum),
    ...(optimum.kind === 'sgd' ? descentOptions(optimum) : []),
    ...featureOption(optimum),
    ...entropyOption(entropy),
    ...(sizes.length > 0 ? ['--at', ...sizes.map(plain)] : []),
  ];
}

/** What to do, by the program's names of the phases. */
export const phaseNames: Record<Phase, string> = {
  over: 'more rows than features',
  under: 'fewer rows than features',
  one: 'one row',
  none: 'do not train',
};

/** Smallest size that may be trained on. */
export function leastSize(optimum: OptimumState): number {
  if (optimum.kind === 'sgd') return optimum.batch;
  return hasFeatures(optimum) ? 1 : 3;
}

/**
 * Sizes to draw the profit at, up to `most`, evenly in their logarithm: whole with several features, and multiples of
 * the batch where SGD then has no others; every size around n = d, where least squares falls through the floor.
 */
export function sizesUpTo(most: number, optimum: OptimumState, count = 120): number[] {
  const least = leastSize(optimum);
  const isWhole = hasFeatures(optimum);
  const unit = isWhole && optimum.kind === 'sgd' ? optimum.batch : 1;
  const found = new Set<number>();
  for (let i = 0; i <= count; i++) {
    const size = least * Math.max(1, most / least) ** (i / count);
    found.add(isWhole ? Math.max(least, Math.round(size / unit) * unit) : Number(size.toPrecision(6)));
  }
  for (let n = optimum.features - 8; isWhole && unit === 1 && n <= optimum.features + 8; n++) if (n >= 1) found.add(n);
  return [...found].sort((one, other) => one - other);
}

/** Where to end the axis of sizes: at a power of ten, so that it stays while a slider moves, well beyond what is best. */
export function lastSize(optimum: OptimumState, best: number[]): number {
  const largest = Math.max(...best.filter(Number.isFinite), 2 * leastSize(optimum), 2 * optimum.features, 10);
  return 10 ** Math.ceil(Math.log10(4 * largest));
}

/** Sizes that stand for all sizes in the phase diagram: each up to some, then every few percent. */
export function phaseSizes(features: number): number[] {
  const found = [1];
  for (let n = 2; n <= features; n = Math.max(n + 1, Math.round(n * 1.25))) found.push(n);
  for (let n = features + 2; n < 1e5 * (features + 2); n = Math.max(n + 1, Math.round(n * 1.2))) found.push(n);
  return found;
}

export interface Axis {
  from: number;
  to: number;
  count: number;
}

const along = (key: string, axis: Axis): string => `${key}=${plain(axis.from)}:${plain(axis.to)}:${axis.count}:log`;

/** The best size along the price of energy. */
export function priceWords(format: string, optimum: OptimumState, entropy: Entropy, prices: Axis): string[] {
  const asked = optimumWords(format, optimum, entropy, []);
  const fixed = asked.indexOf('--energy-price');
  const rest = asked.filter((_, i) => i !== fixed && i !== fixed + 1);
  return ['sweep', ...rest, '--over', along('energy-price', prices), '--columns', 'n_star'];
}

/**
 * What each of `sizes` earns and takes, for each signal-to-noise ratio: the energy of a size does not depend
 * on its price, so that one row has the best size at every price.
 */
export function phaseWords(
  format: string,
  optimum: OptimumState,
  entropy: Entropy,
  snr: Axis,
  sizes: number[],
): string[] {
  const columns = sizes.flatMap((_, i) => [`at.${i}.revenue`, `at.${i}.energy_joules`]);
  return [
    'sweep',
    'scaling',
    optimum.kind,
    format,
    ...marketOptions({ ...optimum, energyPrice: 1e16 }),
    ...options({ 'sigma-x': optimum.sigmaX, 'sigma-xi': optimum.sigmaXi, features: optimum.features }),
    ...entropyOption(entropy),
    '--at',
    ...sizes.map(plain),
    '--over',
    along('snr', snr),
    '--columns',
    columns.join(','),
  ];
}

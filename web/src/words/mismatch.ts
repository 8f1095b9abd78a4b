import type { MismatchState } from '../state/learning';
import { descentOptions, entropyOption, options, temperatureOption, type Entropy } from './options';

function processOptions(mismatch: MismatchState): string[] {
  return mismatch.kind === 'exact'
    ? options({ n: mismatch.n, w: mismatch.w })
    : [...options({ steps: mismatch.steps }), ...descentOptions(mismatch), ...options({ w: mismatch.w })];
}

function start(format: string, mismatch: MismatchState): string[] {
  return [
    'mismatch',
    mismatch.kind,
    format,
    ...processOptions(mismatch),
    ...options({ alpha: mismatch.alpha, constant: mismatch.constant, bounds: mismatch.bounds }),
  ];
}

/** The cost at the asked deviations. */
export function mismatchWords(format: string, mismatch: MismatchState, kelvin: number, entropy: Entropy): string[] {
  return [
    ...start(format, mismatch),
    ...options({ 'sigma-x': mismatch.sigmaX, 'sigma-xi': mismatch.sigmaXi }),
    ...temperatureOption(kelvin),
    ...entropyOption(entropy),
  ];
}

/** The landscape, which does not move with the asked deviations: it need not be made again while they are dragged. */
export function landscapeWords(format: string, mismatch: MismatchState, entropy: Entropy, lattice: number): string[] {
  return [...start(format, mismatch), ...options({ landscape: lattice }), ...entropyOption(entropy)];
}

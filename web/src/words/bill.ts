import type { BillState } from '../state/learning';
import { plain } from './number';
import { descentOptions, entropyOption, options, taskOptions, temperatureOption, type Entropy } from './options';

/** Laws of SGD's slope: the paper's process, the normal law with the exact moments, and the law itself. */
export type SgdLaw = 'ou' | 'moments' | 'exact';

/** What the law of a slope can be asked for: SGD's exact law has many features in no program. */
export const bestLaw = (bill: BillState): SgdLaw => (bill.features > 1 ? 'moments' : 'exact');

export const points = (bill: BillState): number => (bill.kind === 'exact' ? bill.n : bill.steps * bill.batch);

function lawOption(bill: BillState, law: SgdLaw): string[] {
  return bill.kind === 'exact' || law === 'moments' ? [] : ['--law', law];
}

/** The bill; `law` is SGD's, and of no meaning for exact regression. */
export function billWords(format: string, bill: BillState, kelvin: number, entropy: Entropy, law: SgdLaw): string[] {
  const amount =
    bill.kind === 'exact' ? options({ n: bill.n }) : [...options({ steps: bill.steps }), ...descentOptions(bill)];
  return [
    'cost',
    bill.kind,
    format,
    ...amount,
    ...taskOptions(bill),
    ...(bill.features > 1 ? options({ features: bill.features }) : []),
    ...lawOption(bill, law),
    ...temperatureOption(kelvin),
    ...entropyOption(entropy),
  ];
}

/** The law of the slope that is handed on, as the program names it. */
export function slopeLaw(bill: BillState, law: SgdLaw): string {
  const task = `w=${plain(bill.w)},sigma_x=${plain(bill.sigmaX)},sigma_xi=${plain(bill.sigmaXi)}`;
  if (bill.kind === 'exact') return `slope:n=${plain(bill.n)},${task}`;
  const descent = `steps=${plain(bill.steps)},batch=${plain(bill.batch)},eta=${plain(bill.eta)},w0=${plain(bill.w0)}`;
  return `sgd:${descent},${task},law=${law}`;
}

export function slopeWords(bill: BillState, law: SgdLaw, places: number[]): string[] {
  const at = places.length > 0 ? ['--at', ...places.map(plain)] : [];
  return ['law', slopeLaw(bill, law), ...at];
}

/** One register of the data: with several features the bill does not come apart into fields, its registers do. */
export function registerWords(format: string, bill: BillState, which: 'x' | 'y'): string[] {
  const spread = which === 'x' ? bill.sigmaX : Math.hypot(Math.sqrt(bill.features) * bill.w * bill.sigmaX, bill.sigmaXi);
  return ['entropy', format, `normal:mu=0,sigma=${plain(spread)}`];
}

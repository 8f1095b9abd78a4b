import type { Measured, MeasuredTensor } from '../engine/measure-answers';
import type { NumbersState } from '../state/numbers';
import { temperatureOption } from './options';

/** A name that begins like an option is none. */
const asPath = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

/** What is asked of the files. */
export function measureOptions({ as, dtype }: NumbersState, kelvin: number): string[] {
  const stored = as === '' ? [] : ['--as', as];
  const type = dtype === '' ? [] : ['--dtype', dtype];
  return ['--bits', ...stored, ...type, ...temperatureOption(kelvin)];
}

/** The command that measures files of these names as the page does. */
export function measureWords(names: string[], numbers: NumbersState, kelvin: number): string[] {
  return ['measure', ...names.map(asPath), ...measureOptions(numbers, kelvin)];
}

/** The list with a name put in or taken out, in the order of `all`. */
export function toggled(list: string, name: string, all: string[]): string {
  const chosen = list.split(',');
  return all.filter((one) => chosen.includes(one) !== (one === name)).join(',');
}

const sizes: [number, string][] = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
];

/** As the program writes them: "27.8 kB". */
export function bytes(count: number): string {
  const [unit, name] = sizes.find(([least]) => count >= least) ?? [1, 'bytes'];
  if (count === 1) return '1 byte';
  return `${unit === 1 ? count : Number((count / unit).toPrecision(3))} ${name}`;
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The tensor of a group, as it is called in its file; where there are several, what their names have in common. */
export function nameOfGroup({ name, dtype, tensors }: Measured, all: MeasuredTensor[]): string {
  if (tensors !== 1 || !name.includes('*')) return name;
  const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('(?:\\d+|\\*)')}$`);
  // A file of one array has no name for it but its own.
  const knownAs = (one: MeasuredTensor): string => one.name || one.file.replace(/^.*\//, '');
  const own = all.find((one) => one.dtype === dtype && pattern.test(knownAs(one)));
  return own ? knownAs(own) : name;
}

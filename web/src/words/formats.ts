import { lawOf } from '../state/laws';
import type { State } from '../state/state';
import { short } from './number';
import { isBlockFormat, lawText } from './register';

/** What `ktln2 compare` compares by itself, and the blocks people train with. */
export const comparedFormats = [
  'binary64',
  'binary32',
  'posit32',
  'tf32',
  'binary16',
  'bfloat16',
  'posit16',
  'e4m3',
  'e5m2',
  'posit8',
  'int8',
  'mxfp6e2m3',
  'e2m1',
  'mxfp4',
  'nvfp4',
];

/** Laws that have numbers with a probability of their own; blocks are not for these. */
const hasAtoms = (law: string): boolean => /relu|empirical/.test(law);

export function compareWords(state: State): string[] {
  const others = comparedFormats.filter(
    (format) => format !== state.format && !(isBlockFormat(format) && hasAtoms(state.law)),
  );
  return ['compare', lawText(state), state.format, ...others];
}

/** The law in words: "normal, mean μ = 0, deviation σ = 1". */
export function lawInWords(state: State): string {
  const law = lawOf(state);
  if (!law) return state.law;
  const keys = law.keys.map(({ label, field }) => `${label}${/[μσ]$/.test(label) ? ' =' : ''} ${short(state[field])}`);
  return [law.title, ...keys].join(', ');
}

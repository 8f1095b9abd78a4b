import type { State } from '../state/state';
import { lawText } from './register';

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

export function compareWords(state: State): string[] {
  const others = comparedFormats.filter((format) => format !== state.format);
  return ['compare', lawText(state), state.format, ...others];
}

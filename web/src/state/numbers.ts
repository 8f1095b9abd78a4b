import { oneOf, type Rule } from './rules';

// What view 7 is asked of files. The files themselves are nobody's business, and not in the address.

export interface NumbersState {
  /** Formats to store the numbers in, with commas, as the program's --as. */
  as: string;
  /** What raw numbers are, and what those of a table are stored as; empty: what the file says. */
  dtype: string;
}

export const numbersDefaults = (): NumbersState => ({ as: 'e4m3', dtype: '' });

export const storedFormats = ['bfloat16', 'binary16', 'e4m3', 'e5m2', 'mxfp4', 'nvfp4'];
export const storedTypes = ['F64', 'F32', 'BF16', 'F16'];

export const numbersRules: Record<string, Rule> = {
  'numbers.as': {
    holds: (value) => value === '' || String(value).split(',').every((name) => storedFormats.includes(name)),
    expected: `a list of ${storedFormats.join(', ')}`,
  },
  'numbers.dtype': oneOf('', ...storedTypes),
};

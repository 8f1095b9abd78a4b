import type { Fields, Written } from './answers';

// What the program answers, as far as the views of register, range and formats look at it.

export interface Bit {
  name: string;
  entropy: number;
  error: number;
}

export interface Approximation {
  label: string;
  value: number | null;
  status: string;
  applies: boolean;
  at_most: number | null;
  condition: string;
}

interface Entropy {
  format: string;
  distribution: string;
  value: number;
  error: number;
  joules: number;
  temperature: number;
  method: string;
  approximations: Approximation[];
  warnings: string[];
}

export interface RegisterAnswer extends Entropy {
  fields: Fields & { regime?: number; posit_exponent?: number };
  bits: Bit[];
  block?: undefined;
}

/** A block of numbers with one scale, such as mxfp4: `value` is bits an element. */
export interface BlockAnswer extends Entropy {
  block: number;
  element: string;
  scale_format: string;
  bits_per_element: number;
  scale: number;
  joint: number;
  joint_error: number;
  element_given_scale: number;
  element_given_scale_error: number;
}

export type StoredAnswer = RegisterAnswer | BlockAnswer;

export const isBlock = (answer: StoredAnswer): answer is BlockAnswer => answer.block !== undefined;

/** Bits that a number takes. */
export function width(answer: StoredAnswer): number {
  return isBlock(answer) ? answer.bits_per_element : answer.bits.length;
}

export interface FormatAnswer {
  format: string;
  width: number;
  p?: number | null;
  exponent_bits?: number | null;
  signed?: boolean;
  min_positive: Written;
  max: Written;
}

export interface FormatNames {
  formats: { name: string; what: string; bits: number }[];
  blocks: { name: string; what: string; bits: number }[];
}

export interface ComparedFormat {
  format: string;
  bits: number;
  entropy: number;
  error: number;
  wasted: number;
  floor_share: number;
  /** Missing of blocks. */
  sign: number | null;
  exponent: number | null;
  mantissa: number | null;
  relative_error: number | null;
  beyond_max: number | null;
}

export interface CompareAnswer {
  rows: ComparedFormat[];
}

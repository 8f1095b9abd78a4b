import type { Fields, Written } from './answers';

// What `ktln2 measure` answers, as far as the view of one's own numbers looks at it.

/** Tensors whose names differ only by numbers, or a column of a table. */
export interface Measured {
  name: string;
  dtype: string;
  tensors: number;
  count: number;
  mean: Written;
  deviation: Written;
  zeros: number;
  infinities: number;
  nans: number;
  smallest: Written;
  largest: Written;
  /** That a number takes. */
  bits: number;
  /** That it carries; at most, if the codes were too long to be counted whole. */
  total: number;
  error: number;
  counted: boolean;
  sign?: number;
  exponent?: number;
  mantissa?: number;
  normal?: Fields & { total: number };
  bytes: number;
  floor_bytes: number;
  bit_entropies?: { name: string; entropy: number }[];
  exponents?: { exponent: number; seen: number; normal: number | null }[];
}

/** One tensor by itself. */
export interface MeasuredTensor {
  file: string;
  name: string;
  dtype: string;
}

export interface Stored {
  format: string;
  bytes: number;
  floor_bytes: number;
  relative_error: Written;
  worst_relative_error: Written;
  clipped: Written;
  flushed: Written;
}

export interface MeasureAnswer {
  tensors: MeasuredTensor[];
  groups: Measured[];
  as?: Stored[];
  bytes: number;
  floor_bytes: number;
  joules: number;
  temperature: number;
  warnings: string[];
}

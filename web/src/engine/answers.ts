// What the program answers, as far as the views of bill, optimum and mismatch look at it.

/** Infinite numbers come as the text "inf", undefined ones as null. */
export type Written = number | string | null;

export function asNumber(value: Written | undefined): number {
  if (typeof value === 'number') return value;
  if (value === 'inf') return Infinity;
  if (value === '-inf') return -Infinity;
  return typeof value === 'string' ? Number(value) : NaN;
}

export interface Fields {
  sign: number;
  exponent: number;
  mantissa: number;
}

export interface CostAnswer {
  law?: 'ou' | 'moments' | 'exact';
  bits: number;
  error: number;
  joules: number;
  input_bits: number;
  output_bits: number;
  precision_bits: number;
  chip?: { above_landauer: number; basis: string };
  /** Of all inputs together; missing where there are several features. */
  fields?: Fields & { shared: number };
  warnings: string[];
}

export interface EntropyAnswer {
  value: number;
  error: number;
  /** Not of blocks. */
  fields?: Fields;
}

export interface LawAnswer {
  mean: Written;
  deviation: Written;
  pdf?: Written[];
}

export type Phase = 'none' | 'one' | 'under' | 'over';

export interface Size {
  n: number;
  profit: Written;
  mse: Written;
  revenue: Written;
  energy_joules: Written;
}

export interface ScalingAnswer {
  place?: 'interior' | 'corner' | 'infinity';
  phase?: Phase;
  n_star: Written;
  profit: Written;
  mse: Written;
  revenue: Written;
  energy_joules: Written;
  critical_price?: Written;
  optima: (Size & { phase?: Phase; global: boolean })[];
  at?: Size[];
  warnings: string[];
}

export interface MismatchAnswer {
  sigma_x_star: number;
  sigma_xi_star: number;
  production_nats: number;
  production_star_nats: number;
  mmc: number;
  mmc_nats: number;
  mmc_joules: number;
  error_nats: number;
  unique: boolean;
  optima: { sigma_x: number; sigma_xi: number; sigma_x_at_bound: boolean; sigma_xi_at_bound: boolean }[];
  landscape?: { sigma_x: number; sigma_xi: number; mmc_nats: Written }[];
  warnings: string[];
}

import { oneOf, positive, wholeFrom, type Rule } from './rules';

// What views 4 to 6 are about: a model that learns, what that costs, and what it is worth.

/** Data y = w x + noise; with several features, all with the same coefficient. */
export interface Task {
  w: number;
  sigmaX: number;
  sigmaXi: number;
}

export interface Descent {
  eta: number;
  batch: number;
  w0: number;
}

export interface BillState extends Task, Descent {
  kind: 'exact' | 'sgd';
  /** Points of exact regression; SGD has steps times batch of them. */
  n: number;
  steps: number;
  features: number;
}

export interface OptimumState extends Task, Descent {
  kind: 'exact' | 'sgd' | 'ridge';
  features: number;
  /** Of a joule. */
  energyPrice: number;
  /** Of a prediction. */
  inferencePrice: number;
  /** k_B T in joules; the paper's figures have 4e-21. */
  kbt: number;
}

export interface MismatchState extends Task, Descent {
  kind: 'exact' | 'sgd';
  n: number;
  steps: number;
  /** Entropy given to the environment: constant + alpha (sigma_x^2 + sigma_xi^2), in units of k_B. */
  alpha: number;
  constant: number;
  /** As the program's --bounds: sigma_x from,to, sigma_xi from,to. */
  bounds: string;
}

export function billDefaults(): BillState {
  return {
    kind: 'exact',
    n: 1000,
    w: 2,
    sigmaX: 1,
    sigmaXi: 1,
    eta: 0.01,
    batch: 10,
    steps: 100,
    w0: 1,
    features: 1,
  };
}

/** The market of fig:scaling_laws. */
export function optimumDefaults(): OptimumState {
  return {
    kind: 'exact',
    w: 2,
    sigmaX: 1,
    sigmaXi: 1,
    eta: 0.05,
    batch: 10,
    w0: 1,
    features: 1,
    energyPrice: 5e16,
    inferencePrice: 10,
    kbt: 4e-21,
  };
}

/** The landscape of fig:MMC_Ex; its SGD has 50 steps of one point. */
export function mismatchDefaults(): MismatchState {
  return {
    kind: 'exact',
    n: 10,
    w: 1,
    sigmaX: 3,
    sigmaXi: 2,
    eta: 0.01,
    batch: 1,
    steps: 50,
    w0: 1,
    alpha: 1,
    constant: 400,
    bounds: '0.75,5,0.5,5',
  };
}

export interface Bounds {
  xFrom: number;
  xTo: number;
  xiFrom: number;
  xiTo: number;
}

export function readBounds(text: string): Bounds | null {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const [xFrom, xTo, xiFrom, xiTo] = numbers;
  const fits = numbers.length === 4 && 0 < xFrom && xFrom < xTo && 0 < xiFrom && xiFrom < xiTo;
  return fits && numbers.every(Number.isFinite) ? { xFrom, xTo, xiFrom, xiTo } : null;
}

export const writeBounds = (box: Bounds): string => [box.xFrom, box.xTo, box.xiFrom, box.xiTo].join(',');

const nonNegative: Rule = { holds: (value) => Number(value) >= 0, expected: 'a number from 0' };

const bounds: Rule = {
  holds: (value) => readBounds(String(value)) !== null,
  expected: 'four numbers above 0, such as 0.75,5,0.5,5: sigma_x from and to, sigma_xi from and to',
};

const task = { sigmaX: positive, sigmaXi: positive };
const descent = { eta: positive, batch: wholeFrom(1) };

function under(branch: string, some: Record<string, Rule>): Record<string, Rule> {
  return Object.fromEntries(Object.entries(some).map(([key, rule]) => [`${branch}.${key}`, rule]));
}

export const learningRules: Record<string, Rule> = {
  ...under('bill', {
    ...task,
    ...descent,
    kind: oneOf('exact', 'sgd'),
    n: wholeFrom(1),
    steps: wholeFrom(1),
    features: wholeFrom(1),
  }),
  ...under('optimum', {
    ...task,
    ...descent,
    kind: oneOf('exact', 'sgd', 'ridge'),
    features: wholeFrom(1),
    energyPrice: positive,
    inferencePrice: positive,
    kbt: positive,
  }),
  ...under('mismatch', {
    ...task,
    ...descent,
    kind: oneOf('exact', 'sgd'),
    n: wholeFrom(1),
    steps: wholeFrom(1),
    alpha: nonNegative,
    bounds,
  }),
};

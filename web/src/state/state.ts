// What the page is about: one plain object, in the address as a permalink (url.ts).

export interface BillState {
  kind: 'exact' | 'sgd';
  n: number;
  w: number;
  sigmaX: number;
  sigmaXi: number;
  eta: number;
  batch: number;
  steps: number;
  w0: number;
  features: number;
}

export interface OptimumState {
  energyPrice: number;
  inferencePrice: number;
  kbt: number;
}

export interface MismatchState {
  alpha: number;
  constant: number;
  bounds: string;
}

export interface State {
  format: string;
  /** The name of a law in laws.ts, or a whole specification such as "mixture:0.9@normal/0.1@normal:sigma=5". */
  law: string;
  /** Location and scale, of every law that has them, whatever the law calls them. */
  mu: number;
  sigma: number;
  dof: number;
  shape: number;
  low: number;
  mode: number;
  high: number;
  /** Temperature in kelvin. */
  T: number;
  /** The section to show first. */
  view: string;
  bill: BillState;
  optimum: OptimumState;
  mismatch: MismatchState;
}

export function defaults(): State {
  return {
    format: 'p24e8',
    law: 'normal',
    mu: 0,
    sigma: 1,
    dof: 5,
    shape: 2,
    low: 0,
    mode: 0.5,
    high: 1,
    T: 300,
    view: '',
    bill: {
      kind: 'exact',
      n: 1000,
      w: 1,
      sigmaX: 1,
      sigmaXi: 1,
      eta: 0.01,
      batch: 10,
      steps: 100,
      w0: 0,
      features: 1,
    },
    optimum: { energyPrice: 1, inferencePrice: 1, kbt: 4e-21 },
    mismatch: { alpha: 1, constant: 1, bounds: '' },
  };
}

import {
  billDefaults,
  mismatchDefaults,
  optimumDefaults,
  type BillState,
  type MismatchState,
  type OptimumState,
} from './learning';
import { numbersDefaults, type NumbersState } from './numbers';

// What the page is about: one plain object, in the address as a permalink (url.ts).

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
  /** Of the entropy against the mean: |mu| by powers of ten, or mu from left to right. */
  meanAxis: 'log' | 'linear';
  /** The section to show first. */
  view: string;
  bill: BillState;
  optimum: OptimumState;
  mismatch: MismatchState;
  numbers: NumbersState;
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
    meanAxis: 'log',
    view: '',
    bill: billDefaults(),
    optimum: optimumDefaults(),
    mismatch: mismatchDefaults(),
    numbers: numbersDefaults(),
  };
}

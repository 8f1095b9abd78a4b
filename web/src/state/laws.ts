import type { State } from './state';

// The laws of the list, what their keys are called, and where one can take hold of them in a picture.

export type Field = 'mu' | 'sigma' | 'dof' | 'shape' | 'low' | 'mode' | 'high';

export interface Key {
  /** What the program calls it. */
  key: string;
  field: Field;
  label: string;
}

/** A point of the density to drag: where it is, and what the law's key is when it is at x. */
export interface Grip {
  field: Field;
  name: string;
  look: 'dot' | 'shoulder';
  where(state: State): number;
  value(state: State, x: number): number;
}

export interface Law {
  name: string;
  title: string;
  /** The text before its keys. */
  prefix: string;
  keys: Key[];
  grips: Grip[];
  /** The keys to draw the entropy against. */
  spread?: Key;
  center?: Key;
}

const mu = (key: string, label = 'mean μ'): Key => ({ key, field: 'mu', label });
const sigma = (key: string, label = 'deviation σ'): Key => ({ key, field: 'sigma', label });

const bell: Grip = { field: 'mu', name: 'the bell: drag for its place', look: 'dot', where: (s) => s.mu, value: (_, x) => x };
const shoulder: Grip = {
  field: 'sigma',
  name: 'its shoulder: drag for its width',
  look: 'shoulder',
  where: (s) => s.mu + s.sigma,
  value: (s, x) => Math.abs(x - s.mu),
};
const end = (field: Field, name: string): Grip => ({
  field,
  name,
  look: 'dot',
  where: (s) => s[field],
  value: (_, x) => x,
});
const scaled = (times: (state: State) => number): Grip => ({
  field: 'sigma',
  name: 'its mean: drag for its scale',
  look: 'shoulder',
  where: (s) => s.sigma * times(s),
  value: (s, x) => x / times(s),
});

function around(name: string, title: string, place: Key, width: Key, more: Key[] = []): Law {
  return { name, title, prefix: name, keys: [...more, place, width], grips: [bell, shoulder], spread: width, center: place };
}

const dof: Key = { key: 'dof', field: 'dof', label: 'degrees of freedom' };
const location = mu('loc', 'center μ');
const scale = sigma('scale', 'scale σ');

export const laws: Law[] = [
  around('normal', 'normal', mu('mu'), sigma('sigma')),
  around('student', "Student's t", location, scale, [dof]),
  around('laplace', 'Laplace', location, scale),
  around('logistic', 'logistic', location, scale),
  {
    name: 'uniform',
    title: 'uniform',
    prefix: 'uniform',
    keys: [
      { key: 'low', field: 'low', label: 'from' },
      { key: 'high', field: 'high', label: 'to' },
    ],
    grips: [end('low', 'where it begins'), end('high', 'where it ends')],
  },
  {
    name: 'triangular',
    title: 'triangular',
    prefix: 'triangular',
    keys: [
      { key: 'low', field: 'low', label: 'from' },
      { key: 'mode', field: 'mode', label: 'top at' },
      { key: 'high', field: 'high', label: 'to' },
    ],
    grips: [end('low', 'where it begins'), end('mode', 'its top'), end('high', 'where it ends')],
  },
  {
    name: 'exponential',
    title: 'exponential',
    prefix: 'exponential',
    keys: [scale],
    grips: [scaled(() => 1)],
    spread: scale,
  },
  {
    name: 'gamma',
    title: 'gamma',
    prefix: 'gamma',
    keys: [{ key: 'shape', field: 'shape', label: 'shape' }, scale],
    grips: [scaled((s) => s.shape)],
    spread: scale,
  },
  {
    name: 'chi2',
    title: 'χ² (sum of squares)',
    prefix: 'chi2',
    keys: [dof],
    grips: [{ ...end('dof', 'its mean: drag for the degrees of freedom'), look: 'shoulder' }],
  },
  {
    name: 'halfnormal',
    title: 'half normal',
    prefix: 'halfnormal',
    keys: [sigma('sigma')],
    grips: [scaled(() => 1)],
    spread: sigma('sigma'),
  },
  {
    name: 'lognormal',
    title: 'lognormal',
    prefix: 'lognormal',
    keys: [mu('mu', 'mean of the logarithm μ'), sigma('sigma', 'deviation of the logarithm σ')],
    grips: [
      { ...bell, where: (s) => Math.exp(s.mu), value: (_, x) => Math.log(x) },
      { ...shoulder, where: (s) => Math.exp(s.mu + s.sigma), value: (s, x) => Math.abs(Math.log(x) - s.mu) },
    ],
  },
  around('relu:normal', 'normal behind a ReLU', mu('mu'), sigma('sigma')),
];

/** The law of the list that the state names; null: it is written out by hand. */
export function lawOf(state: State): Law | null {
  return laws.find((law) => law.name === state.law) ?? null;
}

import { describe, expect, it } from 'vitest';
import { laws } from '../../src/state/laws';
import { defaults, type State } from '../../src/state/state';
import { comparedFormats, compareWords, lawInWords } from '../../src/words/formats';
import { offBy, unmet } from '../../src/words/ladder';
import { centerSpan, curveWords, linearName, noSpreadStory, spreadSpan } from '../../src/words/range';
import { entropyWords, formatOf, isBlockFormat, lawText, sizesOf, traded } from '../../src/words/register';
import { commandLine } from '../../src/words/shell';

const of = (some: Partial<State>): State => ({ ...defaults(), ...some });

describe('the words of the register', () => {
  it('of the defaults', () => {
    expect(commandLine(entropyWords(defaults()))).toBe('ktln2 entropy p24e8 normal:mu=0,sigma=1 --bits');
  });
  it('have every key of the law', () => {
    expect(lawText(of({ law: 'student', dof: 3, sigma: 1e-4 }))).toBe('student:dof=3,loc=0,scale=0.0001');
    expect(lawText(of({ law: 'uniform', low: -1 }))).toBe('uniform:low=-1,high=1');
    expect(lawText(of({ law: 'relu:normal', mu: 2 }))).toBe('relu:normal:mu=2,sigma=1');
    expect(lawText(of({ law: 'chi2' }))).toBe('chi2:dof=5');
  });
  it('take a law written by hand as it is', () => {
    const law = "mixture:0.9@normal/0.1@normal:sigma=5";
    expect(lawText(of({ law, mu: 7 }))).toBe(law);
  });
  it('say the temperature when it is not the usual one', () => {
    expect(entropyWords(of({ T: 77 })).slice(-2)).toEqual(['--temperature', '77']);
  });
  it('ask for no bits of a block', () => {
    expect(entropyWords(of({ format: 'mxfp4' }))).not.toContain('--bits');
    expect(['mxfp8e4m3', 'nvfp4', 'block:mxint8'].every(isBlockFormat)).toBe(true);
    expect(['mxint8', 'e4m3', 'p24e8', 'posit16'].some(isBlockFormat)).toBe(false);
  });
  it('are quoted where a shell would take them apart', () => {
    expect(commandLine(['a b', "it's", 'c(d)', 'p24e8'])).toBe(`ktln2 'a b' 'it'\\''s' 'c(d)' p24e8`);
  });
});

describe('a format of one’s own', () => {
  it('is read and written', () => {
    expect(sizesOf('p24e8')).toEqual({ p: 24, E: 8 });
    expect(sizesOf('bfloat16')).toBeNull();
    expect(formatOf(24, 8)).toBe('p24e8');
    expect(formatOf(999, -3)).toBe('p64e0');
  });
  it('trades bits at fixed width', () => {
    expect(traded(24, 8, 5)).toBe('p27e5');
    expect(traded(4, 4, 15)).toBe('p1e7');
    expect(traded(64, 8, 0)).toBe('p64e8');
  });
});

describe('the words of the range', () => {
  const normal = laws[0];
  it('leave out the key that is swept', () => {
    const words = curveWords(of({ mu: 1 }), normal.spread!, { from: 1e-43, to: 1e43, isLog: true });
    expect(commandLine(words)).toBe('ktln2 sweep entropy p24e8 normal:mu=1 --over sigma=1e-43:1e43:200:log --columns value,error');
  });
  it('name each place below zero by powers of ten', () => {
    const over = curveWords(of({ mu: -1 }), normal.center!, { from: -0.01, to: -1e9, isLog: true })[5] ?? '';
    const places = over.replace('mu=', '').split(',').map(Number);
    expect(places).toHaveLength(200);
    expect([places[0], places[199]]).toEqual([-0.01, -1e9]);
    expect(places.every((place, index) => index === 0 || place < (places[index - 1] ?? 0))).toBe(true);
  });
  it('reach four decades beyond the format', () => {
    expect(spreadSpan(5.88e-39, 6.8e38, 1)).toEqual({ from: 1e-43, to: 1e43, isLog: true });
    expect(spreadSpan(0.002, 448, 1)).toEqual({ from: 1e-7, to: 1e7, isLog: true });
  });
  it('reach to where one is', () => {
    expect(spreadSpan(0.002, 448, 1e20).to).toBe(1e21);
    expect(spreadSpan(0, Infinity, 1)).toEqual({ from: 1e-300, to: 1e300, isLog: true });
  });
  it('go to means at which all is one cell', () => {
    expect(centerSpan(of({ sigma: 0.1 }), 24, true)).toEqual({ from: 0.001, to: 1e8, isLog: true });
    expect(centerSpan(of({ sigma: 2, mu: 5000 }), 24, false)).toEqual({ from: -5000, to: 5000, isLog: false });
    expect(centerSpan(of({}), 24, false)).toEqual({ from: -100, to: 100, isLog: false });
  });
});

describe('what is said of the range', () => {
  it('names the axis as it is', () => {
    expect(linearName(of({ mu: 50, sigma: 1 }))).toBe('evenly, from −100 σ to 100 σ');
    expect(linearName(of({ mu: -2.66, sigma: 2.66e-35 }))).toBe('evenly, from −|μ| to |μ|');
  });
  it('names all laws that have a width', () => {
    for (const title of ['gamma', 'half normal', 'normal behind a ReLU', "Student's t"]) expect(noSpreadStory()).toContain(title);
    expect(noSpreadStory()).not.toContain('uniform');
  });
});

describe('the ladder', () => {
  it('says what is not met', () => {
    const condition = 'D(f||g) <= 0.01 (here 2.9e-17), P(outside U) <= 1e-06 (here 0.51), eps0 <= 0.01 (here 0.26), sigma^2/(2 mu^2 ln 2) <= 0.01 (here inf)';
    expect(unmet(condition)).toBe('P(outside U) is 0.51, more than 10⁻⁶; ε₀ is 0.26, more than 0.01; σ²/(2 μ² ln 2) is ∞, more than 0.01');
  });
  it('leaves other texts as they are', () => {
    expect(unmet('exists only for normal laws with mean 0')).toBe('exists only for normal laws with mean 0');
    expect(unmet('eps0 <= 0.01 (here 0), and more')).toBe('ε₀ ≤ 0.01 (here 0), and more');
  });
  it('knows no difference below the error bar', () => {
    expect(offBy(1.4e-14, 1.6e-13)).toBe('< 2 × 10⁻¹³');
    expect(offBy(-2.7e-4, 1.6e-13)).toBe('−2.7 × 10⁻⁴');
  });
});

describe('the words of formats', () => {
  it('say the law', () => {
    expect(lawInWords(of({}))).toBe('normal, mean μ = 0, deviation σ = 1');
    expect(lawInWords(of({ law: 'uniform', low: -1 }))).toBe('uniform, from −1, to 1');
    expect(lawInWords(of({ law: 'mixture:a' }))).toBe('mixture:a');
  });
  it('begin with the format that is looked at, once', () => {
    const words = compareWords(of({ format: 'bfloat16' }));
    expect(words.slice(0, 3)).toEqual(['compare', 'normal:mu=0,sigma=1', 'bfloat16']);
    expect(words.filter((word) => word === 'bfloat16')).toHaveLength(1);
    expect(words).toHaveLength(comparedFormats.length + 2);
  });
  it('have no blocks for a law with atoms', () => {
    expect(compareWords(of({ law: 'relu:normal' })).some(isBlockFormat)).toBe(false);
  });
});

it('a grip of a law and what it holds belong together', () => {
  const state = of({ mu: 0.5, sigma: 0.25, dof: 7, shape: 3, low: -1, mode: 0.25, high: 2 });
  for (const law of laws) {
    for (const grip of law.grips) expect(grip.value(state, grip.where(state)), law.name).toBeCloseTo(state[grip.field], 12);
  }
});

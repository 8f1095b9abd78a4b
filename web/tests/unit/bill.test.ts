import { describe, expect, it } from 'vitest';
import { billDefaults } from '../../src/state/learning';
import { bestLaw, billWords, points, registerWords, slopeLaw, slopeWords } from '../../src/words/bill';

const regression = billDefaults();
const descent = { ...regression, kind: 'sgd' as const };

describe('the bill', () => {
  it('of exact regression has its points and no law', () => {
    expect(billWords('p24e8', regression, 300, 'exact', 'exact').join(' ')).toBe(
      'cost exact p24e8 --n 1000 --w 2 --sigma-x 1 --sigma-xi 1',
    );
  });

  it('says what differs from the usual: closed forms, temperature, features', () => {
    const words = billWords('bfloat16', { ...regression, features: 3 }, 4, 'smooth', 'moments').join(' ');
    expect(words).toContain('--features 3 --temperature 4 --entropy smooth');
  });

  it('of SGD has its steps and names every law but the usual one', () => {
    expect(billWords('p24e8', descent, 300, 'exact', 'moments').join(' ')).toBe(
      'cost sgd p24e8 --steps 100 --batch 10 --eta 0.01 --w0 1 --w 2 --sigma-x 1 --sigma-xi 1',
    );
    expect(billWords('p24e8', descent, 300, 'exact', 'exact').join(' ')).toMatch(/--law exact$/);
    expect(billWords('p24e8', descent, 300, 'exact', 'ou').join(' ')).toMatch(/--law ou$/);
  });

  it('counts the points of all steps', () => {
    expect(points(regression)).toBe(1000);
    expect(points({ ...descent, steps: 7, batch: 3 })).toBe(21);
  });

  it('knows that many features have moments only', () => {
    expect(bestLaw(descent)).toBe('exact');
    expect(bestLaw({ ...descent, features: 2 })).toBe('moments');
  });
});

describe('the slope', () => {
  it('is named as the program does', () => {
    expect(slopeLaw({ ...regression, n: 1e6 }, 'exact')).toBe('slope:n=1e6,w=2,sigma_x=1,sigma_xi=1');
    expect(slopeLaw({ ...descent, sigmaX: 1e-7 }, 'ou')).toBe(
      'sgd:steps=100,batch=10,eta=0.01,w0=1,w=2,sigma_x=1e-7,sigma_xi=1,law=ou',
    );
  });

  it('is looked at where asked', () => {
    expect(slopeWords(regression, 'exact', [])).toHaveLength(2);
    expect(slopeWords(regression, 'exact', [-1, 2.5]).slice(2)).toEqual(['--at', '-1', '2.5']);
  });
});

describe('one register', () => {
  it('of y is as wide as signal and noise of all features together', () => {
    expect(registerWords('p8e8', { ...regression, sigmaX: 3 }, 'x')[2]).toBe('normal:mu=0,sigma=3');
    const many = { ...regression, features: 4, w: 2, sigmaX: 1, sigmaXi: 3 };
    expect(registerWords('p8e8', many, 'y')[2]).toBe('normal:mu=0,sigma=5');
  });
});

import { describe, expect, it } from 'vitest';
import { optimumDefaults } from '../../src/state/learning';
import { coefficientFor, signalToNoise } from '../../src/words/options';
import { lastSize, leastSize, optimumWords, phaseSizes, phaseWords, priceWords, sizesUpTo } from '../../src/words/optimum';

const market = optimumDefaults();
const descent = { ...market, kind: 'sgd' as const };
const many = { ...market, features: 100, w: 0.2 };

describe('the size worth paying for', () => {
  it('is asked for with the market of the paper', () => {
    expect(optimumWords('p24e8', market, 'exact', []).join(' ')).toBe(
      'scaling exact p24e8 --energy-price 5e16 --inference-price 10 --kbt 4e-21 --w 2 --sigma-x 1 --sigma-xi 1',
    );
  });

  it('of SGD has its learning rate, and none has steps', () => {
    const words = optimumWords('p24e8', descent, 'smooth', [10, 20]).join(' ');
    expect(words).toContain('--batch 10 --eta 0.05 --w0 1');
    expect(words).not.toContain('--steps');
    expect(words).toMatch(/--entropy smooth --at 10 20$/);
  });

  it('has features where there are several, or a penalty', () => {
    expect(optimumWords('p24e8', market, 'exact', [])).not.toContain('--features');
    expect(optimumWords('p24e8', many, 'exact', []).join(' ')).toContain('--features 100');
    expect(optimumWords('p24e8', { ...market, kind: 'ridge' }, 'exact', []).join(' ')).toContain('--features 1');
  });
});

describe('sizes to draw', () => {
  it('begin with the smallest feasible one', () => {
    expect(leastSize(market)).toBe(3);
    expect(leastSize(descent)).toBe(10);
    expect(leastSize(many)).toBe(1);
  });

  it('go up to the last one, no more than asked', () => {
    const sizes = sizesUpTo(123.4, market);
    expect(sizes[0]).toBe(3);
    expect(sizes.at(-1)).toBe(123.4);
    expect(sizes.length).toBeLessThanOrEqual(121);
  });

  it('are whole around n = d, each one there', () => {
    const sizes = sizesUpTo(1000, many);
    expect(sizes.every(Number.isInteger)).toBe(true);
    for (let n = 95; n <= 105; n++) expect(sizes).toContain(n);
  });

  it('are multiples of the batch where only those exist', () => {
    const sizes = sizesUpTo(1000, { ...descent, features: 3, batch: 7 });
    expect(sizes.every((n) => n % 7 === 0 && n > 0)).toBe(true);
  });
});

describe('the axis of sizes', () => {
  it('ends at a power of ten beyond the best', () => {
    expect(lastSize(market, [38])).toBe(1000);
    expect(lastSize(descent, [10, 520])).toBe(10000);
    expect(lastSize(many, [368])).toBe(10000);
    expect(lastSize(market, [Infinity])).toBe(100);
  });
});

describe('the price of energy', () => {
  it('is what the best size is followed along, whatever it is now', () => {
    const prices = { from: 1e12, to: 1e20, count: 65 };
    const words = priceWords('p24e8', descent, 'smooth', prices);
    expect(words).toEqual(priceWords('p24e8', { ...descent, energyPrice: 7 }, 'smooth', prices));
    expect(words).not.toContain('--energy-price');
    expect(words.join(' ')).toMatch(/^sweep scaling sgd p24e8 .* --over energy-price=1e12:1e20:65:log --columns n_star$/);
  });
});

describe('phases', () => {
  it('look at one row, at fewer than features, and at many more, never where the error is infinite', () => {
    const sizes = phaseSizes(20);
    expect(sizes.slice(0, 2)).toEqual([1, 2]);
    expect(sizes.some((n) => n > 2 && n < 20)).toBe(true);
    expect(sizes.at(-1)).toBeGreaterThan(1e6);
    expect(sizes).not.toContain(21);
    expect(sizes.length).toBeLessThan(120);
  });

  it('take revenue and energy of each size along the signal-to-noise ratio', () => {
    const words = phaseWords('p24e8', many, 'smooth', { from: 0.1, to: 100, count: 16 }, [1, 50]);
    expect(words.slice(0, 3)).toEqual(['sweep', 'scaling', 'exact']);
    expect(words).not.toContain('--w');
    expect(words.at(-1)).toBe('at.0.revenue,at.0.energy_joules,at.1.revenue,at.1.energy_joules');
    expect(words).toContain('snr=0.1:100:16:log');
  });
});

describe('signal to noise', () => {
  it('adds up over features', () => {
    expect(signalToNoise(many, 100)).toBeCloseTo(4, 12);
    expect(signalToNoise({ w: -3, sigmaX: 2, sigmaXi: 6 }, 1)).toBe(1);
  });

  it('gives back the coefficient, with its sign', () => {
    expect(coefficientFor(4, many, 100)).toBe(0.2);
    expect(coefficientFor(1, { w: -9, sigmaX: 2, sigmaXi: 6 }, 1)).toBe(-3);
  });
});

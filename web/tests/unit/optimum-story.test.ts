import { describe, expect, it } from 'vitest';
import type { ScalingAnswer } from '../../src/engine/answers';
import { optimumDefaults } from '../../src/state/learning';
import { isLoss, optimumStory, otherHills } from '../../src/words/optimum-story';

const hill = { n: 38, profit: 9.46, mse: 1.03, revenue: 9.73, energy_joules: 5.4e-18, global: true };
const answer: ScalingAnswer = { ...hill, n_star: 38, place: 'interior', optima: [hill], warnings: [] };
const market = optimumDefaults();

describe('what is said of the best size', () => {
  it('is how many points, and what they bring and take', () => {
    const said = optimumStory(answer, market);
    expect(said).toBe('Train on 38 points: one more would cost more than it earns. Predictions bring 9.73, energy takes 0.27.');
  });

  it('is that it has collapsed, and what is left of the other hill', () => {
    const corner = { ...hill, n: 10, profit: 0.446 };
    const lost = { ...hill, n: 360, profit: -0.466, global: false };
    const collapsed = { ...answer, ...corner, n_star: 10, place: 'corner' as const, optima: [corner, lost] };
    const said = optimumStory(collapsed, { ...market, kind: 'sgd' });
    expect(said).toContain('collapsed to a single batch of 10 points, which earns 0.446.');
    expect(said).toContain('The other hill, at 360 points, is down to −0.466.');
  });

  it('warns of the hill that one would stay on', () => {
    const left = { ...hill, n: 10, profit: 0.58, global: false };
    expect(optimumStory({ ...answer, optima: [left, hill] }, market)).toContain('another hill, at 10 points');
  });

  it('is of hills only, not of the best of a phase on a slope', () => {
    const [first, slope] = [{ ...hill, n: 1, profit: 1, global: true }, { ...hill, n: 2, profit: 0.5, global: false }];
    const summit = { ...hill, n: 52, profit: -2, global: false };
    const at = [first, slope, { ...hill, n: 3, profit: 0.4 }, { ...hill, n: 50, profit: -9 }, summit, { ...hill, n: 60, profit: -3 }];
    expect(otherHills({ ...answer, optima: [first, summit, slope], at })).toEqual([{ n: 52, profit: -2 }]);
    // A ripple is none, and the best whole batch is one, though next to it is what is better.
    const whole = { ...summit, n: 370, profit: 0.04 };
    const along = [hill, { ...hill, n: 200, profit: -3 }, { ...hill, n: 373, profit: 0.042 }, { ...hill, n: 500, profit: -9 }];
    expect(otherHills({ ...answer, optima: [hill, whole], at: along }).map(({ n }) => n)).toEqual([370]);
    const flat = { ...hill, n: 1, profit: 0, global: false };
    expect(otherHills({ ...answer, optima: [hill, flat], at: [flat, { ...hill, n: 2, profit: -0.01 }, hill] })).toEqual([]);
    expect(otherHills({ ...answer, optima: [first, summit, slope] }).map(({ n }) => n)).toEqual([2, 52]);
  });

  it('is a loss where even the best loses', () => {
    expect([answer, { ...answer, profit: -1 }, { ...answer, phase: 'none' as const }].map(isLoss)).toEqual([false, true, true]);
  });

  it('is that nothing pays, or everything', () => {
    expect(optimumStory({ ...answer, phase: 'none', critical_price: 3e19 }, { ...market, features: 5 })).toContain(
      'Do not train: above 3 × 10¹⁹ a joule',
    );
    expect(optimumStory({ ...answer, n_star: 'inf', place: 'infinity' }, market)).toContain('no best size');
    expect(optimumStory({ ...answer, profit: -2, place: 'corner' }, market)).toContain('even that loses 2');
  });

  it('is why one row may be enough, which is not so with a penalty', () => {
    const one = { ...answer, n_star: 1, phase: 'one' as const, critical_price: 3e19 };
    expect(optimumStory(one, { ...market, features: 20 })).toContain('one row of 20 features');
    expect(optimumStory(one, { ...market, features: 20 })).toContain('kept as the model');
    expect(optimumStory(one, { ...market, features: 20, kind: 'ridge' })).not.toContain('kept as the model');
  });

  it('is not to interpolate where features could be fitted exactly', () => {
    const over = { ...answer, phase: 'over' as const, critical_price: 3e19 };
    expect(optimumStory(over, { ...market, features: 100 })).toContain('Around n = 100');
    expect(optimumStory(over, { ...market, features: 100, kind: 'ridge' })).not.toContain('never interpolate');
  });
});

import { expect, it } from 'vitest';
import type { MismatchAnswer } from '../../src/engine/answers';
import { mismatchDefaults } from '../../src/state/learning';
import { mismatchStory } from '../../src/words/mismatch-story';

const answer: MismatchAnswer = {
  sigma_x_star: 0.75,
  sigma_xi_star: 1.041,
  production_nats: 68.3,
  production_star_nats: 54,
  mmc: 2e-22,
  mmc_nats: 14.29,
  mmc_joules: 6e-20,
  error_nats: 1e-11,
  unique: true,
  optima: [{ sigma_x: 0.75, sigma_xi: 1.041, sigma_x_at_bound: true, sigma_xi_at_bound: false }],
  warnings: [],
};
const asked = mismatchDefaults();

it('says how much more is produced, and where the least is', () => {
  const said = mismatchStory(answer, asked);
  expect(said).toContain('σx = 3 and σξ = 2 make this machine produce 14.29 nats more');
  expect(said).toContain('σx = 0.75 (the edge of the box), σξ = 1.04.');
});

it('says so where nothing is lost, where others are as good, and outside the box', () => {
  expect(mismatchStory({ ...answer, mmc_nats: 0 }, asked)).toContain('no mismatch');
  expect(mismatchStory({ ...answer, unique: false }, asked)).toContain('or others that are as good');
  expect(mismatchStory({ ...answer, mmc_nats: -6 }, asked)).toContain('better than all in it, by 6 nats');
});

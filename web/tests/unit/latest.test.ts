import { expect, it } from 'vitest';
import { latest } from '../../src/engine/latest';

const answer = (value: number | null, isFresh: boolean, message = '') => ({ value, isFresh, message, hasFailed: message !== '' });

it('the exact answer is shown once it is there', () => {
  expect(latest(answer(1, true), answer(2, true), true)).toEqual({ value: 1, isSmooth: false });
});

it('until then the smooth one, even while a newer one is on its way', () => {
  expect(latest(answer(1, false), answer(2, true), true)).toEqual({ value: 2, isSmooth: true });
  expect(latest(answer(1, false), answer(2, false), true)).toEqual({ value: 2, isSmooth: true });
});

it('a smooth answer to another question is none', () => {
  expect(latest(answer(1, false), answer(2, false), false)).toEqual({ value: 1, isSmooth: false });
});

it('nothing is shown beside a mistake', () => {
  expect(latest(answer(1, false, 'sigma must be > 0'), answer(2, true), true).value).toBeNull();
});

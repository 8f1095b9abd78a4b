import { expect, it } from 'vitest';
import { boundaries, type SizeValue } from '../../src/words/phases';

const size = (n: number, revenue: number, energy: number): SizeValue => ({ n, revenue, energy });

it('three sizes take turns as energy gets dearer', () => {
  const found = boundaries([size(1, 2, 1), size(5, 5, 3), size(50, 9, 7)], 10);
  expect(found.over).toBeCloseTo(1, 9); // 9 - 7p = 5 - 3p
  expect(found.under).toBeCloseTo(1.5, 9); // 5 - 3p = 2 - p
  expect(found.one).toBe(2);
});

it('a size that is best at no price has no stretch of its own', () => {
  const found = boundaries([size(1, 2, 1), size(5, 2.5, 6), size(50, 9, 7)], 10);
  expect(found.under).toBe(found.over);
  expect(found.over).toBeCloseTo(7 / 6, 9);
});

it('where one row earns nothing, no price is left for it', () => {
  const found = boundaries([size(1, 0, 1), size(50, 10, 5)], 10);
  expect(found).toEqual({ over: 2, under: 2, one: 2 });
});

import { expect, it } from 'vitest';
import { moved } from '../../src/charts/drag';
import { countAfter, fromPlace, signedAfter, toPlace, type Stretch } from '../../src/parts/slider';

const stretches: [Stretch, number[]][] = [
  [{ kind: 'linear', min: 0, max: 600 }, [0, 77, 300, 600]],
  [{ kind: 'log', min: 1e-40, max: 1e40 }, [1e-40, 1e-4, 1, 2.5e7]],
  [{ kind: 'count', min: 1, max: 1e6 }, [1, 2, 10, 1000, 1e6]],
  [{ kind: 'signed', min: 1e-6, max: 1e6 }, [-1e6, -1, 0, 1e-6, 3, 1e6]],
];

it.each(stretches)('%o: a place and its value belong together', (stretch, values) => {
  for (const value of values) expect(fromPlace(stretch, toPlace(stretch, value))).toBeCloseTo(value, 10);
});

it('keys move a value and stop at the ends', () => {
  expect(moved('ArrowRight', 1, { min: 1e-3, max: 1e3 }, true)).toBe(1.26);
  expect(moved('ArrowUp', 5, { min: 0, max: 10 }, false)).toBe(5.1);
  expect(moved('PageDown', 0.5, { min: 0, max: 10 }, false)).toBe(0);
  expect(moved('End', 5, { min: 0, max: 10 }, false)).toBe(10);
  expect(moved('a', 5, { min: 0, max: 10 }, false)).toBeNull();
});

it('keys reach every small count, and go through many decades', () => {
  expect(countAfter('ArrowRight', 1, 1, 1e6)).toBe(2);
  expect(countAfter('ArrowLeft', 1, 1, 1e6)).toBe(1);
  expect(countAfter('ArrowUp', 1000, 1, 1e6)).toBe(1050);
  expect(countAfter('ArrowUp', 1e6, 1, 1e6)).toBe(1e6);
  expect(countAfter('Tab', 5, 1, 10)).toBeNull();
});

it('keys go out of zero and back', () => {
  const stretch: Stretch = { kind: 'signed', min: 1e-9, max: 1e9 };
  expect(signedAfter('ArrowRight', 0, stretch)).toBe(1e-9);
  expect(signedAfter('ArrowLeft', 0, stretch)).toBe(-1e-9);
  expect(signedAfter('ArrowLeft', 1e-9, stretch)).toBe(0);
  expect(signedAfter('ArrowRight', -1e-9, stretch)).toBe(0);
  expect(signedAfter('ArrowUp', 1, stretch)).toBeGreaterThan(1);
  expect(signedAfter('ArrowUp', 1e9, stretch)).toBe(1e9);
  expect(signedAfter('Tab', 1, stretch)).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { placeOf, safe, textWidth, ticksAcross, ticksOf, tickTexts } from '../../src/charts/scales';
import type { Axis } from '../../src/charts/types';

const textsOf = (axis: Axis, most = 7): string[] => tickTexts(axis, ticksOf(axis, placeOf(axis, [0, 400]), most));

describe('the texts of an axis', () => {
  it('are round numbers', () => {
    expect(textsOf({ label: 'x', domain: [-2, 2] }, 4)).toEqual(['−2', '−1', '0', '1', '2']);
    expect(textsOf({ label: 'x', kind: 'log', domain: [0.1, 1e5] })).toEqual(['0.1', '1', '10', '100', '1000', '10⁴', '10⁵']);
  });

  it.each([1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12, 1e-14])('tell apart what is %s from each other', (width) => {
    for (const center of [0, 1, -1, 3.75, 1.2345678, 1e6, 4e-12]) {
      // As far as a double does.
      if (width < 1e-13 * Math.abs(center)) continue;
      const texts = textsOf({ label: 'x', domain: [center - 4 * width, center + 4 * width] });
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  it('are a number and what is added to it, where many digits would be the same', () => {
    expect(textsOf({ label: 'x', domain: [1 - 4e-9, 1 + 4e-9] }, 4)).toEqual(['1 − 4 × 10⁻⁹', '1 − 2 × 10⁻⁹', '1', '1 + 2 × 10⁻⁹', '1 + 4 × 10⁻⁹']);
  });

  it('do not run into each other', () => {
    for (const domain of [[-1e40, 1e40], [1 - 4e-8, 1 + 4e-8], [1 - 3.3e-8, 1 + 3.3e-8], [0, 1]] as [number, number][]) {
      const axis: Axis = { label: 'x', domain };
      const place = placeOf(axis, [0, 290]);
      const { ticks, texts } = ticksAcross(axis, place, 290);
      expect(ticks.length).toBeGreaterThan(1);
      for (let i = 1; i < ticks.length; i++) {
        expect(place(ticks[i]) - place(ticks[i - 1])).toBeGreaterThan((textWidth(texts[i]) + textWidth(texts[i - 1])) / 2);
      }
    }
  });
});

it('a place is a number, whatever it is the place of', () => {
  for (const domain of [[0, 1], [NaN, 1], [0, Infinity]] as [number, number][]) {
    for (const kind of ['linear', 'log'] as const) {
      const place = placeOf({ label: '', kind, domain }, [0, 100]);
      for (const value of [NaN, Infinity, -Infinity, 0, -1, 1]) expect(safe(place, value)).not.toBeNaN();
    }
  }
});

import { describe, expect, it } from 'vitest';
import type { Bit, RegisterAnswer } from '../../src/engine/register-answers';
import { defaults } from '../../src/state/state';
import { formatsStory, plateau, registerStory, spreadStory } from '../../src/words/stories';
import { bitsAt, fieldsOf, unitOf } from '../../src/views/register/boxes';
import { densityAt, widthsOf } from '../../src/views/register/pictures';

const bit = (name: string, entropy: number): Bit => ({ name, entropy, error: 0 });

function answer(bits: Bit[], warnings: string[] = []): RegisterAnswer {
  const value = bits.reduce((sum, { entropy }) => sum + entropy, 0);
  return {
    format: 'p3e2',
    distribution: 'normal',
    value,
    error: 1e-13,
    joules: 1e-21,
    temperature: 300,
    method: '',
    approximations: [],
    warnings,
    fields: { sign: 0, exponent: 0, mantissa: 0 },
    bits,
  };
}

describe('the story of the register', () => {
  const some = [bit('sign', 1), bit('exponent 1', 0), bit('exponent 0', 0.001), bit('mantissa 0', 0.9)];
  it('counts dark bits', () => {
    expect(registerStory(defaults(), answer(some))).toContain('Two bits of its 4 carry next to nothing');
  });
  it('knows what the mean does', () => {
    expect(registerStory(defaults(), answer(some))).toContain('drag σ and watch the number stay');
    expect(registerStory({ ...defaults(), mu: 1, sigma: 1e-4 }, answer(some))).toContain('10,000 times the width');
  });
  it('promises nothing where the program warns', () => {
    expect(registerStory(defaults(), answer(some, ['50 % is clipped']))).not.toContain('drag σ');
  });
  it('says when all is one value', () => {
    expect(registerStory(defaults(), answer([bit('sign', 0), bit('exponent 0', 0.1)]))).toContain('narrower than the cells');
  });
});

describe('the story of the range', () => {
  const xs = [1e-3, 1e-2, 1e-1, 1, 10, 100];
  it('finds the plateau', () => {
    const curve = { xs, exact: [1, 5, 5, 5, 5, 2], smooth: { xs: [], bits: [] } };
    expect(plateau(curve)).toEqual({ from: 1e-2, to: 10, height: 5 });
    expect(spreadStory(curve, 0)).toContain('Over 3 of these 5 decades');
    expect(spreadStory(curve, 0)).toContain('cells next to zero');
    expect(spreadStory(curve, 2)).toContain('every halving takes a bit');
  });
  it('or a peak', () => {
    expect(spreadStory({ xs, exact: [1, 2, 5, 3, 2, 1], smooth: { xs: [], bits: [] } }, 0)).toContain('near 0.1');
  });
});

it('the story of formats names the chosen and the best', () => {
  const row = (format: string, bits: number, entropy: number) => ({
    format,
    bits,
    entropy,
    error: 0,
    wasted: bits - entropy,
    floor_share: entropy / bits,
    sign: 1,
    exponent: 2,
    mantissa: entropy - 3,
    relative_error: 0,
    beyond_max: 0,
  });
  const rows = [row('p24e8', 32, 24), row('posit16', 16, 14.4)];
  expect(formatsStory(rows, 'p24e8')).toBe(
    'p24e8 carries 24 of the 32 bits that it stores and wastes 25.0 %. posit16 wastes least, 10.0 % of 16 bits.',
  );
  expect(formatsStory(rows, 'posit16')).toContain('None of these formats wastes less');
});

describe('boxes', () => {
  it('belong to fields', () => {
    const fields = fieldsOf([bit('sign', 1), bit('exponent 1', 0.5), bit('exponent 0', 0.25), bit('mantissa 0', 1)]);
    expect(fields.map(({ name, first, count, entropy }) => [name, first, count, entropy])).toEqual([
      ['sign', 0, 1, 1],
      ['exponent', 1, 2, 0.75],
      ['mantissa', 3, 1, 1],
    ]);
  });
  it('are as many as the pointer is far', () => {
    const unit = unitOf(680, 32);
    expect(unit).toBe(20);
    expect(bitsAt(400, unit, 680)).toBe(20);
    expect(bitsAt(700, unit, 680)).toBe(38);
    expect(unitOf(680, 68)).toBe(10);
  });
});

describe('the picture of widths', () => {
  const picture = {
    left: -4,
    right: 4,
    is_log: false,
    has_atoms: false,
    steps: [[-4, 0, 0.1], [0, 4, 0.15]] as [number, number, number][],
    cells: [],
    bands: [[-4, -2, 0.5], [-2, -1, 0.25], [0.5, 1, 0.125], [1, 2, 0.25], [2, 4, 0.5]] as [number, number, number][],
  };
  it('takes one side of zero, by powers of ten', () => {
    const widths = widthsOf(picture, 3);
    expect(widths?.x).toMatchObject({ kind: 'log', domain: [0.5, 4] });
    expect(widths?.lines[0]?.points.slice(0, 3)).toEqual([[0.5, 0.125], [1, 0.125], [1, 0.25]]);
    expect(widths?.lines[1]?.points[1]?.[1]).toBeCloseTo((4 * 2 ** -2) / Math.SQRT2, 12);
  });
  it('mirrors numbers below zero', () => {
    const negative = { ...picture, bands: picture.bands.slice(0, 2) };
    expect(widthsOf(negative, null)?.lines[0]?.points).toEqual([[1, 0.25], [2, 0.25], [2, 0.5], [4, 0.5]]);
  });
  it('is not drawn where nothing is known', () => {
    expect(widthsOf({ ...picture, bands: [] }, 3)).toBeNull();
  });
  it('density is looked up', () => {
    expect(densityAt(picture, 1)).toBe(0.15);
    expect(densityAt(picture, 9)).toBe(0);
  });
});

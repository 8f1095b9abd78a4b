import { describe, expect, it } from 'vitest';
import type { Bit, FormatAnswer, RegisterAnswer } from '../../src/engine/register-answers';
import { defaults, type State } from '../../src/state/state';
import { centerStory, formatsStory, plateau, registerStory, spreadStory, type Curve } from '../../src/words/stories';
import { bitsAt, fieldsOf, namePlaces, unitOf } from '../../src/views/register/boxes';
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

const p24e8: FormatAnswer = { format: 'p24e8', width: 32, p: 24, exponent_bits: 8, min_positive: 5.9e-39, max: 6.8e38 };
const real = { ...p24e8, format: 'p3e2' };

describe('the story of the register', () => {
  const some = [bit('sign', 1), bit('exponent 1', 0), bit('exponent 0', 0.001), bit('mantissa 0', 0.9)];
  const told = (state: Partial<State>, bits = some, format: FormatAnswer | null = real) => registerStory({ ...defaults(), ...state }, answer(bits), format);
  it('counts dark bits, which need not be constant', () => {
    expect(told({})).toContain('Two bits of its 4 carry next to nothing: they hardly ever change, or the bits before them tell what they are, and forgetting them is free.');
    expect(told({}, some.slice(0, 2))).toContain('One bit of its 2 carries next to nothing: it hardly ever changes, or the bits before it tell');
  });
  it('counts good ones', () => {
    expect(told({}, [bit('sign', 0), bit('mantissa 0', 0)])).toMatch(/^All its 2 bits carry next to nothing/);
    expect(told({}, [bit('sign', 1)])).toMatch(/^Its one bit is as good as a coin\./);
    expect(told({}, [bit('sign', 1), bit('mantissa 0', 1)])).toMatch(/^Every one of its 2 bits is as good as a coin\./);
    expect(told({}, [bit('sign', 1), bit('mantissa 0', 0.5)])).toMatch(/^Every one of its 2 bits carries something; one is as good as a coin\./);
    expect(told({}, [bit('sign', 0.6), bit('mantissa 0', 0.5)])).toMatch(/^Every one of its 2 bits carries something; none is as good as a coin\./);
  });
  it('knows what the mean does', () => {
    expect(told({})).toContain('drag σ and watch the number stay');
    expect(told({ mu: 1, sigma: 1e-4 })).toContain('10,000 times the width leaves little to the sign and the leading bits.');
    expect(told({ mu: 1, sigma: 1e-4 }, [...some, bit('mantissa 1', 1), bit('mantissa 2', 1)])).toContain('doubling μ takes another bit away');
    expect(told({ mu: 1 })).toContain('Move the mean farther from zero');
  });
  it('promises a plateau only where the law is on one', () => {
    const e2m1 = { ...real, p: 2, min_positive: 0.5, max: 6 };
    const posit = { ...real, p: null, exponent_bits: null };
    for (const format of [e2m1, posit, null, { ...real, format: 'another' }]) expect(told({}, some, format)).not.toContain('drag σ');
    const ideal = { ...answer(some), format: 'p64e6' };
    const limits = { format: 'p64e6', width: 70, p: 64, exponent_bits: 6, min_positive: 4.7e-10, max: 8.6e9 };
    expect(registerStory(defaults(), ideal, limits)).toContain('drag σ');
    expect(told({ sigma: 1e38 })).toContain('watch the number stay');
    expect(told({ sigma: 3e38 })).not.toContain('watch the number stay');
  });
  it('promises nothing where the program warns', () => {
    expect(registerStory(defaults(), answer(some, ['50 % is clipped']), real)).not.toContain('drag σ');
  });
  it('says when all is one value', () => {
    expect(told({}, [bit('sign', 0), bit('exponent 0', 0.1)])).toContain('narrower than the cells');
  });
});

/** What happens at so many places by powers of ten. */
function curveAlong(from: number, to: number, of: (x: number) => number, count = 200): Curve {
  const xs = Array.from({ length: count }, (_, index) => 10 ** (from + ((to - from) * index) / (count - 1)));
  return { xs, exact: xs.map(of), smooth: { xs: [], bits: [] } };
}

describe('the story of the range', () => {
  const xs = [1e-3, 1e-2, 1e-1, 1, 10, 100];
  it('finds the plateau', () => {
    const curve = { xs, exact: [1, 5, 5, 5, 5, 2], smooth: { xs: [], bits: [] } };
    expect(plateau(curve)).toEqual({ from: 1e-2, to: 10, height: 5 });
    expect(spreadStory(curve, 0)).toContain('Over 3 of these 5 decades the width of the law does nothing: 5 bits. At the left end');
    expect(spreadStory(curve, 0)).toContain('cells next to zero; at the right end they are cut off.');
  });
  it('or a peak', () => {
    expect(spreadStory({ xs, exact: [1, 2, 5, 3, 2, 1], smooth: { xs: [], bits: [] } }, 0)).toContain('near 0.1');
  });
  it('does not take the top of a peak for a plateau', () => {
    const posit16 = curveAlong(-21, 21, (x) => 14.4 - Math.max(0, Math.abs(Math.log10(x)) - 0.6) * 0.83);
    expect(spreadStory(posit16, 0)).toMatch(/^The register is filled best, with 14.4 bits, for widths near [\d.]+; narrower laws fall into fewer cells, and so do wider ones\.$/);
  });
  it('ends where the picture does', () => {
    const all = curveAlong(-300, 300, () => 55.46);
    expect(spreadStory(all, 0)).toBe('Over all 600 decades the width of the law does nothing: 55.46 bits. The picture ends at 10⁻³⁰⁰ and 10³⁰⁰, before the format does.');
    const right = curveAlong(-300, 300, (x) => (x < 1e-5 ? 1 : 55.46));
    expect(spreadStory(right, 1)).toContain('The picture ends at 10³⁰⁰, before');
    expect(spreadStory(curveAlong(-4, 5, () => 1), 0)).toBe('Over all 9 decades the width of the law does nothing: 1 bit.');
  });
  it('says that halving takes a bit where it does', () => {
    expect(spreadStory(curveAlong(-12, 12, (x) => Math.min(26.5, Math.max(0, 26.5 + Math.log2(x)))), 1)).toContain('every halving takes a bit, until all numbers are in one cell.');
    expect(spreadStory(curveAlong(-12, 12, (x) => Math.min(26.5, Math.max(1, 26.5 + Math.log2(x)))), 1)).toContain('every halving takes a bit, down to 1 bit.');
    expect(spreadStory(curveAlong(-12, 12, (x) => (x < 1 ? 0 : 13.7)), -1)).toContain('less is carried, until all');
  });
});

describe('the story of the mean', () => {
  const byBits = (x: number): number => Math.min(26.46, Math.max(0, 26.46 + 1 - Math.log2(Math.max(1, x))));
  it('says that doubling takes a bit where it does', () => {
    expect(centerStory(curveAlong(-2, 9, byBits), true)).toBe(
      'The farther the mean is from zero, the wider the cells it is stored in: every doubling takes a bit, from 26.46 down to nothing, when all numbers are in one cell.',
    );
  });
  it('and not where it does not', () => {
    const clipped = curveAlong(37, 48, (x) => (x < 5e38 ? 14.44 : x < 3e39 ? 4 : 0));
    expect(centerStory(clipped, true)).toBe('Along the mean the entropy goes from 14.44 bits at the left end to nothing at the right one.');
    const relu = curveAlong(-2, 9, (x) => (x < 1 ? 13.8 : byBits(x)));
    expect(centerStory(relu, true)).toMatch(/from 13.8 bits .* it is highest, 26[\d.]* bits, near \|μ\| = \d/);
    expect(centerStory(curveAlong(-2, 2, () => 2.1), true)).toBe('The mean does nothing here: 2.1 bits.');
    expect(centerStory(curveAlong(-2, 2, () => 0), false)).toContain('nothing is carried');
  });
  it('sees both sides of an even axis', () => {
    const even = Array.from({ length: 200 }, (_, index) => -100 + (200 * index) / 199);
    const curve = { xs: even, exact: even.map((x) => byBits(Math.abs(x))), smooth: { xs: [1], bits: [20] } };
    expect(centerStory(curve, false)).toContain('one bit where μ crosses a power of two; the dashed formula passes through them.');
    expect(centerStory({ ...curve, exact: even.map((x) => (x < 0 ? 0 : byBits(x))) }, false)).toContain('goes from nothing at the left end to 20.82 bits at the right one; it is highest');
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
  expect(formatsStory([...rows, row('p1e0', 1, 1)], 'p1e0')).toContain('p1e0 carries 1 of the 1 bit that it stores');
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

describe('names below the boxes', () => {
  const fields = fieldsOf([bit('sign', 1), bit('exponent 1', 0.5), bit('exponent 0', 0.25), bit('mantissa 0', 1)]);
  it('stand on one line where they fit', () => {
    const wide = fieldsOf([bit('sign', 1), ...Array.from({ length: 8 }, (_, i) => bit(`exponent ${i}`, 0.3)), ...Array.from({ length: 23 }, (_, i) => bit(`mantissa ${i}`, 1))]);
    const places = namePlaces(wide, ['sign 1 of 1', 'exponent 2.545 of 8', 'mantissa 22.92 of 23'], 34, 1152) ?? [];
    expect(places[0]).toBe(0);
    places.slice(1).forEach((place, index) => expect(place).toBeGreaterThan((places[index] ?? 0) + 80));
  });
  it('or have a list of their own', () => {
    expect(namePlaces(fields, ['sign 1 of 1', 'exponent 1.303 of 2', 'mantissa 0.9135 of 1'], 34, 1152)).toBeNull();
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

import { describe, expect, it } from 'vitest';
import type { CostAnswer, EntropyAnswer } from '../../src/engine/answers';
import { billDefaults } from '../../src/state/learning';
import { billSteps, billStory, fieldsOf, ghostStory } from '../../src/words/bill-story';

const fields = { sign: 2000, exponent: 5091.13, mantissa: 45836, shared: 1160.96 };
const answer: CostAnswer = {
  bits: 51746.6,
  error: 1e-9,
  joules: 1.486e-16,
  input_bits: 51766.17,
  output_bits: 19.57,
  precision_bits: 47976,
  fields,
  warnings: [],
};
const bill = billDefaults();
const register = (value: number): EntropyAnswer => ({
  value,
  error: 1e-12,
  fields: { sign: 1, exponent: 2, mantissa: value - 3 },
});

describe('the bill in words', () => {
  it('says what goes in, what comes out and what the precision is', () => {
    const said = billStory(answer, bill);
    expect(said).toContain('1000 points go in with 51,766 bits, one slope comes out with 19.57 bits');
    expect(said).toContain('all but 0.038 %');
    expect(said).toContain('92.7 % of the bill is precision');
  });

  it('of one point keeps a good part', () => {
    const one = { ...answer, bits: 25.8, input_bits: 52.4, output_bits: 26.6, precision_bits: 24 };
    expect(billStory(one, { ...bill, n: 1 })).toContain('One point goes in with 52.4 bits');
    expect(billStory(one, { ...bill, n: 1 })).toContain('the other 49.2 % are forgotten');
  });

  it('does not call a precision a share that is more than the whole', () => {
    expect(billStory({ ...answer, precision_bits: 60000 }, bill)).toContain('more than the whole bill');
  });

  it('hands on nothing where that is below the error bar', () => {
    expect(billStory({ ...answer, output_bits: 1e-12 }, bill)).toContain('one slope comes out with 0 bits, and all of it is forgotten');
  });

  it('says on which side the ghost is', () => {
    expect(ghostStory(answer, register(19.07))).toContain('too narrow: it would make the bill 0.5 bits higher');
    expect(ghostStory(answer, register(20.57))).toContain('too wide: it would make the bill 1 bits lower');
    expect(ghostStory(answer, register(19.5701))).toContain('the same to a thousandth');
  });
});

describe('where the bits are', () => {
  it('is what the program says', () => {
    expect(fieldsOf(answer, bill, null, null)).toBe(fields);
  });

  it('is added up from registers where there are several features', () => {
    const many = { ...answer, fields: undefined, input_bits: 1000 };
    const found = fieldsOf(many, { ...bill, n: 10, features: 3 }, register(26), register(27));
    expect(found).toEqual({ sign: 40, exponent: 80, mantissa: 930, shared: 50 });
    expect(fieldsOf(many, bill, null, register(27))).toBeNull();
    // A register of a block has no fields of its own.
    expect(fieldsOf(many, bill, { value: 4, error: 0 }, register(27))).toBeNull();
  });

  it('begins each step where the one before it ends', () => {
    const steps = billSteps(answer, fields);
    for (let i = 1; i < 5; i++) expect(steps[i].from).toBeCloseTo(steps[i - 1].to, 9);
    expect(steps[5].to).toBeCloseTo(steps[4].to, 9);
    expect(steps[3].text).toBe('−1161.0 bits');
    expect(steps[6].isPart).toBe(true);
  });
});

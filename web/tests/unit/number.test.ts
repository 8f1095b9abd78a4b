import { describe, expect, it } from 'vitest';
import { bar, bitsOf, count, joules, known, plain, short } from '../../src/words/number';

describe('numbers as people write them', () => {
  it('shortens', () => {
    expect(short(0)).toBe('0');
    expect(short(1000)).toBe('1000');
    expect(short(12345.678, 7)).toBe('12,345.68');
    expect(short(-0.02)).toBe('−0.02');
    expect(short(1e-7)).toBe('10⁻⁷');
    expect(short(-1e12)).toBe('−10¹²');
    expect(short(2.5e10)).toBe('2.5 × 10¹⁰');
    expect(short(Infinity)).toBe('∞');
  });
  it('shows no digit beyond the bar', () => {
    expect(known(26.463733990788512, 1.6e-13, 9)).toBe('26.463733991');
    expect(known(26.463733990788512, 0.003)).toBe('26.464');
    expect(known(26.463733990788512, 7)).toBe('26');
    expect(known(-1.5, 0.1)).toBe('−1.5');
  });
  it('never shrinks a bar', () => {
    expect(bar(1.58e-13)).toBe('2 × 10⁻¹³');
    expect(bar(9.5e-3)).toBe('0.01');
    expect(bar(0.2)).toBe('0.2');
    expect(bar(0.11)).toBe('0.2');
    expect(bar(20)).toBe('20');
    expect(bar(1e-6)).toBe('10⁻⁶');
    expect(bar(0)).toBe('0');
    expect(bar(3)).toBe('3');
  });
  it('reads back what it wrote for a command', () => {
    for (const value of [1e-4, 1e21, 0.1, -3, 5e-324, 123456789.125]) expect(Number(plain(value))).toBe(value);
    expect(plain(1e21)).toBe('1e21');
    expect(plain(5e16)).toBe('5e16');
    expect(plain(120000)).toBe('120000');
  });
  it('has prefixes for joules', () => {
    expect(joules(7.597682e-20)).toBe('75.98 zJ');
    expect(joules(2.9e-21)).toBe('2.9 zJ');
    expect(joules(0)).toBe('0 J');
    expect(joules(3.2e-5)).toBe('32 µJ');
  });
  it('counts', () => {
    expect(count(1, 'bit')).toBe('one bit');
    expect(count(0, 'bit')).toBe('no bits');
    expect(count(18, 'bit')).toBe('18 bits');
    expect(bitsOf(1)).toBe('1 bit');
    expect(bitsOf(14.412)).toBe('14.41 bits');
  });
});

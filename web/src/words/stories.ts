import { asNumber } from '../engine/answers';
import { isBlock, width, type ComparedFormat, type FormatAnswer, type RegisterAnswer, type StoredAnswer } from '../engine/register-answers';
import { lawOf } from '../state/laws';
import type { State } from '../state/state';
import { bitsOf, capital, count, known, powerOfTen, short } from './number';
import { isIdealized } from './names';

// The sentences that say what is seen. They come from the numbers, and change with them.

/** A bit that carries less than this is as good as known beforehand. */
const dim = 0.01;
/** One that carries more than this is as good as a coin. */
const bright = 0.99;

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What a field carries, for a small label: what is below a thousandth is nothing there. */
export const carried = (entropy: number): string => (entropy < 5e-4 ? '0' : short(entropy, 4));

export const darkBits = (answer: RegisterAnswer): number => answer.bits.filter((bit) => bit.entropy < dim).length;

/** Each box shows what a bit adds to those before it: a dark one need not be constant. */
function aboutBits(answer: RegisterAnswer): string {
  const dark = darkBits(answer);
  const full = answer.bits.filter((bit) => bit.entropy > bright).length;
  const all = answer.bits.length;
  if (all === 1) return `Its one bit ${dark > 0 ? 'carries next to nothing' : full > 0 ? 'is as good as a coin' : 'is less than a coin'}.`;
  if (dark === 0 && full === all) return `Every one of its ${all} bits is as good as a coin.`;
  if (dark === 0) return `Every one of its ${all} bits carries something; ${full === 0 ? 'none is' : count(full, 'is', 'are')} as good as ${full < 2 ? 'a coin' : 'coins'}.`;
  const verb = dark === 1 ? 'carries' : 'carry';
  const why = dark === 1 ? 'it hardly ever changes, or the bits before it tell what it is' : 'they hardly ever change, or the bits before them tell what they are';
  const which = dark === all ? `All its ${all} bits` : `${capital(count(dark, 'bit'))} of its ${all}`;
  return `${which} ${verb} next to nothing: ${why}, and forgetting ${dark === 1 ? 'it' : 'them'} is free.`;
}

/** Of a format with an exponent: sizes between which its cells grow with the number. */
function floatingRange(format: FormatAnswer | null): { from: number; to: number } {
  if (typeof format?.p !== 'number') return { from: NaN, to: NaN };
  // Formats that people own have, below the least normal number, p - 1 powers of two with cells that are all alike.
  const alike = isIdealized(format.format) ? 1 : 2 ** (format.p - 1);
  return { from: asNumber(format.min_positive) * alike, to: asNumber(format.max) };
}

/** What the law does to the register, where that can be said in a sentence. */
function aboutLaw(state: State, answer: StoredAnswer, format: FormatAnswer | null): string {
  const law = lawOf(state);
  if (answer.value < 0.5) return 'Nearly every number is stored as the same value: the law is narrower than the cells of the format.';
  if (answer.warnings.length > 0) return '';
  if (!law?.center || law.name.startsWith('relu')) return '';
  // What is said below is so where neither the cells around zero nor the largest number are near.
  const { from, to } = floatingRange(format?.format === answer.format ? format : null);
  const center = Math.abs(state.mu);
  const size = Math.max(center, state.sigma);
  if (!(size >= 16 * from && size <= to / 4)) return '';
  const ratio = center / state.sigma;
  if (center === 0) return 'The scale does not matter while nothing clips: drag σ and watch the number stay.';
  if (ratio <= 3) return 'Move the mean farther from zero, and less is left to the leading bits.';
  const more = answer.value > 3 ? ': doubling μ takes another bit away' : '';
  return `A mean ${short(ratio, 3)} times the width leaves little to the sign and the leading bits${more}.`;
}

export function registerStory(state: State, answer: StoredAnswer, format: FormatAnswer | null): string {
  if (isBlock(answer)) {
    const { block, element } = answer;
    return `${block} numbers of the format ${element} share one scale. A block carries ${known(answer.joint, answer.joint_error, 2)} of its ${short(block * width(answer), 6)} bits: ${known(answer.value, answer.error, 3)} for each number.`;
  }
  return `${aboutBits(answer)} ${aboutLaw(state, answer, format)}`.trim();
}

export interface Curve {
  xs: number[];
  exact: number[];
  smooth: { xs: number[]; bits: number[] };
}

interface Plateau {
  from: number;
  to: number;
  height: number;
}

/** Where the curve is flat: the longest stretch whose values are no farther apart than this. */
export function plateau(curve: Curve, apart = 0.1): Plateau {
  const longest = { from: NaN, to: NaN, height: Math.max(...curve.exact) };
  let steps = 0;
  for (let first = 0; first < curve.xs.length; first += 1) {
    let low = Infinity;
    let high = -Infinity;
    for (let last = first; last < curve.xs.length; last += 1) {
      low = Math.min(low, curve.exact[last] ?? NaN);
      high = Math.max(high, curve.exact[last] ?? NaN);
      if (!(high - low <= apart) || high < longest.height / 2) break;
      if (last - first <= steps) continue;
      steps = last - first;
      Object.assign(longest, { from: curve.xs[first], to: curve.xs[last] });
    }
  }
  return longest;
}

/** What the curve has at x, or next to it. */
function valueAt(curve: Curve, x: number): number {
  const index = curve.xs.findIndex((place) => place >= x);
  return curve.exact[index] ?? NaN;
}

const decadesOf = (from: number, to: number): number => Math.log10(to) - Math.log10(from);

/** As far as the pictures of the range go: a double hardly goes farther. */
const farthest = 1e300;
/** A peak is as flat as a plateau near its top: it is one only if it has some share of the picture. */
const leastShare = 1 / 16;
/** What curves may rise or fall by that are said not to. */
const same = 0.1;

/**
 * Does the curve, from its highest place on, lose a bit a doubling of x? Looked at from two bits below the top, where
 * it has begun, down to where two are left and the last few cells are seen.
 */
export function fallsByBits(xs: number[], bits: number[]): boolean {
  const top = Math.max(...bits);
  const highest = bits.indexOf(top);
  const first = bits.findIndex((value, index) => index > highest && value <= top - 2);
  if (first < 0 || top - (bits[0] ?? NaN) > same) return false;
  const end = bits.findIndex((value, index) => index > first && !(value >= 2));
  const last = (end < 0 ? bits.length : end) - 1;
  const doublings = Math.log2(xs[last] ?? NaN) - Math.log2(xs[first] ?? NaN);
  const rate = ((bits[first] ?? NaN) - (bits[last] ?? NaN)) / doublings;
  return doublings >= 1 && rate > 0.9 && rate < 1.1;
}

/** What becomes of numbers whose law is narrower than those of the plateau. */
function leftOf(curve: Curve, from: number, mu: number): string {
  if (mu === 0) return 'At the left end the numbers fall into the cells next to zero';
  const least = curve.exact[0] ?? NaN;
  const end = least < 0.01 ? 'until all numbers are in one cell' : `down to ${bitsOf(least, 2)}`;
  // Narrower and narrower: one over the widths grows.
  const index = curve.xs.indexOf(from);
  const narrower = curve.xs.slice(0, index + 1).reverse();
  const isByBits = fallsByBits(narrower.map((x) => 1 / x), curve.exact.slice(0, index + 1).reverse());
  return `Where it is narrower than its mean is far from zero, ${isByBits ? 'every halving takes a bit' : 'less is carried'}, ${end}`;
}

export function spreadStory(curve: Curve, mu: number): string {
  const { from, to, height } = plateau(curve);
  const first = curve.xs[0] ?? NaN;
  const last = curve.xs[curve.xs.length - 1] ?? NaN;
  const decades = decadesOf(from, to);
  const all = decadesOf(first, last);
  if (!(decades >= Math.max(1, all * leastShare))) {
    const best = curve.xs[curve.exact.indexOf(height)] ?? NaN;
    return `The register is filled best, with ${bitsOf(height)}, for widths near ${short(best, 2)}; narrower laws fall into fewer cells, and so do wider ones.`;
  }
  const bits = bitsOf(valueAt(curve, Math.sqrt(from) * Math.sqrt(to)));
  const begin = `Over ${decades === all ? `all ${short(all, 2)}` : `${short(decades, 2)} of these ${short(all, 2)}`} decades the width of the law does nothing: ${bits}.`;
  const ends = [from > first ? leftOf(curve, from, mu) : '', to < last ? 'at the right end they are cut off' : ''].filter((end) => end !== '').join('; ');
  const isCut = (to === last && last >= farthest) || (from === first && first <= 1 / farthest);
  const where = to < last ? powerOfTen(first) : from > first ? powerOfTen(last) : `${powerOfTen(first)} and ${powerOfTen(last)}`;
  return [begin, ends && `${capital(ends)}.`, isCut && `The picture ends at ${where}, before the format does.`].filter(Boolean).join(' ');
}

/** Of what does not go by whole bits: only what is at the ends, and the highest place. */
function plainCenterStory({ xs, exact }: Curve, isLog: boolean): string {
  const highest = Math.max(...exact.filter(Number.isFinite));
  if (highest < 0.01) return 'At nearly all these means the numbers are in one cell: nothing is carried.';
  const [first = NaN] = exact;
  const last = exact[exact.length - 1] ?? NaN;
  const peak = highest - Math.max(first, last) > same ? `; it is highest, ${bitsOf(highest)}, near ${isLog ? '|μ|' : 'μ'} = ${short(xs[exact.indexOf(highest)] ?? NaN, 2)}` : '';
  if (!peak && Math.abs(first - last) <= same) return `The mean does nothing here: ${bitsOf(highest)}.`;
  return `Along the mean the entropy goes from ${small(first)} at the left end to ${small(last)} at the right one${peak}.`;
}

/** Bits, and nothing where there is next to none. */
const small = (bits: number): string => (bits < 0.01 ? 'nothing' : bitsOf(bits));

export function centerStory(curve: Curve, isLog: boolean): string {
  const { xs, exact } = curve;
  if (!isLog) {
    const right = xs.findIndex((x) => x >= 0);
    const isByBits = fallsByBits(xs.slice(right), exact.slice(right)) && fallsByBits(xs.slice(0, right).reverse().map(Math.abs), exact.slice(0, right).reverse());
    if (!isByBits) return plainCenterStory(curve, isLog);
    const formula = curve.smooth.bits.some(Number.isFinite) ? '; the dashed formula passes through them' : '';
    return `Along the mean the entropy goes down in steps, one bit where μ crosses a power of two${formula}.`;
  }
  if (!fallsByBits(xs, exact)) return plainCenterStory(curve, isLog);
  const lowest = exact[exact.length - 1] ?? 0;
  const end = lowest < 0.01 ? 'nothing, when all numbers are in one cell' : bitsOf(lowest, 2);
  return `The farther the mean is from zero, the wider the cells it is stored in: every doubling takes a bit, from ${short(Math.max(...exact), 4)} down to ${end}.`;
}

export function formatsStory(rows: ComparedFormat[], chosen: string): string {
  const own = rows.find((row) => row.format === chosen);
  const best = rows.reduce<ComparedFormat | null>((top, row) => (!top || row.floor_share > top.floor_share ? row : top), null);
  if (!own || !best) return '';
  const said = `${own.format} carries ${short(own.entropy, 4)} of the ${bitsOf(own.bits)} that it stores and wastes ${percent(1 - own.floor_share)}.`;
  if (best.format === own.format) return `${said} None of these formats wastes less on this law.`;
  return `${said} ${best.format} wastes least, ${percent(1 - best.floor_share)} of ${bitsOf(best.bits)}.`;
}

import { isBlock, width, type ComparedFormat, type RegisterAnswer, type StoredAnswer } from '../engine/register-answers';
import { lawOf } from '../state/laws';
import type { State } from '../state/state';
import { capital, count, known, short } from './number';

// The sentences that say what is seen. They come from the numbers, and change with them.

/** A bit that carries less than this is as good as known beforehand. */
const dim = 0.01;
/** One that carries more than this is as good as a coin. */
const bright = 0.99;

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What a field carries, for a small label: what is below a thousandth is nothing there. */
export const carried = (entropy: number): string => (entropy < 5e-4 ? '0' : short(entropy, 4));

export const darkBits = (answer: RegisterAnswer): number => answer.bits.filter((bit) => bit.entropy < dim).length;

function aboutBits(answer: RegisterAnswer): string {
  const dark = darkBits(answer);
  const full = answer.bits.filter((bit) => bit.entropy > bright).length;
  const all = answer.bits.length;
  if (dark === 0) return `Every one of its ${all} bits carries something; ${count(full, 'bit is', 'bits are')} as good as coins.`;
  const verb = dark === 1 ? 'carries' : 'carry';
  const free = dark === 1 ? 'it is always the same, and forgetting it is free' : 'they are always the same, and forgetting them is free';
  return `${capital(count(dark, 'bit'))} of its ${all} ${verb} next to nothing: ${free}.`;
}

/** What the law does to the register, where that can be said in a sentence. */
function aboutLaw(state: State, answer: StoredAnswer): string {
  const law = lawOf(state);
  if (answer.value < 0.5) return 'Nearly every number is stored as the same value: the law is narrower than the cells of the format.';
  if (answer.warnings.length > 0) return '';
  if (!law?.center || law.name.startsWith('relu')) return '';
  const ratio = Math.abs(state.mu) / state.sigma;
  if (state.mu === 0) return 'The scale does not matter while nothing clips: drag σ and watch the number stay.';
  if (ratio > 3) return `A mean ${short(ratio, 3)} times the width makes sign and leading bits known beforehand: doubling μ takes another bit away.`;
  return 'Move the mean away from zero, and the leading bits become known beforehand.';
}

export function registerStory(state: State, answer: StoredAnswer): string {
  if (isBlock(answer)) {
    const { block, element } = answer;
    return `${block} numbers of the format ${element} share one scale. A block carries ${known(answer.joint, answer.joint_error, 2)} of its ${short(block * width(answer), 6)} bits: ${known(answer.value, answer.error, 3)} for each number.`;
  }
  return `${aboutBits(answer)} ${aboutLaw(state, answer)}`.trim();
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

export function spreadStory(curve: Curve, mu: number): string {
  const { from, to, height } = plateau(curve);
  const decades = Math.log10(to / from);
  const all = Math.log10((curve.xs[curve.xs.length - 1] ?? 1) / (curve.xs[0] ?? 1));
  if (!(decades >= 1)) {
    const best = curve.xs[curve.exact.indexOf(height)] ?? NaN;
    return `The register is filled best, with ${short(height, 4)} bits, for widths near ${short(best, 2)}; narrower laws fall into too few cells, wider ones are cut off.`;
  }
  const bits = short(valueAt(curve, Math.sqrt(from) * Math.sqrt(to)), 4);
  const left =
    mu === 0
      ? 'At the left end the numbers fall into the cells next to zero'
      : 'Where it is narrower than its mean is far from zero, every halving takes a bit, until all numbers are in one cell';
  return `Over ${short(decades, 2)} of these ${short(all, 2)} decades the width of the law does nothing: ${bits} bits. ${left}; at the right end they are cut off.`;
}

export function centerStory(curve: Curve, isLog: boolean): string {
  if (!isLog) return 'Along the mean the entropy goes down in steps, one bit where μ crosses a power of two; the smooth formula passes through them.';
  const highest = Math.max(...curve.exact);
  const lowest = curve.exact[curve.exact.length - 1] ?? 0;
  const end = lowest < 0.01 ? 'nothing, when all numbers are in one cell' : short(lowest, 2);
  return `The farther the mean is from zero, the wider the cells it is stored in: every doubling takes a bit, from ${short(highest, 4)} down to ${end}.`;
}

export function formatsStory(rows: ComparedFormat[], chosen: string): string {
  const own = rows.find((row) => row.format === chosen);
  const best = rows.reduce<ComparedFormat | null>((top, row) => (!top || row.floor_share > top.floor_share ? row : top), null);
  if (!own || !best) return '';
  const said = `${own.format} carries ${short(own.entropy, 4)} of the ${short(own.bits)} bits that it stores and wastes ${percent(1 - own.floor_share)}.`;
  if (best.format === own.format) return `${said} None of these formats wastes less on this law.`;
  return `${said} ${best.format} wastes least, ${percent(1 - best.floor_share)} of ${short(best.bits)} bits.`;
}

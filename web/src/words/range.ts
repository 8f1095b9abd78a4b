import { laws, type Key } from '../state/laws';
import type { State } from '../state/state';
import { plain } from './number';
import { lawText } from './register';

export const curvePoints = 200;
/** A formula is smooth, and ten times as dear as the entropy itself. */
const formulaPoints = 61;

/** The formula to draw beside the exact curve: the smooth one of p24e8 and the like, or Approximation 1. */
export function approximationOf(format: string): string {
  return /^p\d+e\d+$/.test(format) ? 'eq:first_two_approx' : 'eq:diff_approx';
}

export interface Span {
  from: number;
  to: number;
  isLog: boolean;
}

/** What the program calls a range; by powers of ten it has none below zero, where each place is named. */
function placesOf({ from, to, isLog }: Span, points: number): string {
  if (!isLog || from > 0) return `${plain(from)}:${plain(to)}:${points}${isLog ? ':log' : ''}`;
  const [first, last] = [Math.log10(-from), Math.log10(-to)];
  const place = (index: number): number => -(10 ** (first + ((last - first) * index) / (points - 1)));
  return Array.from({ length: points }, (_, index) => plain(Number(place(index).toPrecision(9)))).join(',');
}

function sweepWords(state: State, key: Key, span: Span, points: number, columns: string): string[] {
  const over = `${key.key}=${placesOf(span, points)}`;
  return ['sweep', 'entropy', state.format, lawText(state, key.key), '--over', over, '--columns', columns];
}

/** The entropy along one key of the law. */
export function curveWords(state: State, key: Key, span: Span): string[] {
  return sweepWords(state, key, span, curvePoints, 'value,error');
}

/** A formula along it. */
export function formulaWords(state: State, key: Key, span: Span, approximation: string): string[] {
  return sweepWords(state, key, span, formulaPoints, `approximations.${approximation}.value`);
}

/** Four decades beyond what the format can hold, on both sides, as far as a double goes. */
export function spreadSpan(smallest: number, largest: number, sigma: number): Span {
  const low = Number.isFinite(Math.log10(smallest)) ? Math.log10(smallest) : -Infinity;
  const high = Number.isFinite(Math.log10(largest)) ? Math.log10(largest) : Infinity;
  const here = Math.log10(sigma);
  const from = Math.floor(Math.max(-300, Math.min(low - 4, here - 1)));
  const to = Math.ceil(Math.min(300, Math.max(high + 4, here + 1)));
  return { from: Number(`1e${from}`), to: Number(`1e${to}`), isLog: true };
}

/** Means from far below the width of the law to where it has shrunk into one cell. */
export function centerSpan(state: State, precision: number, isLog: boolean): Span {
  const ratio = Math.abs(state.mu) / state.sigma;
  if (!isLog) {
    const reach = Number((Math.max(100, ratio) * state.sigma).toPrecision(3));
    return { from: -reach, to: reach, isLog };
  }
  const decades = Math.ceil(Math.max(3, (precision + 3) * Math.log10(2), Math.log10(ratio)));
  const tens = (power: number): number => Number((state.sigma * 10 ** power).toPrecision(6));
  return { from: tens(-2), to: Math.min(1e300, tens(decades)), isLog };
}

/** The choice of an axis that centerSpan() makes, in words. */
export function linearName(state: State): string {
  return Math.abs(state.mu) > 100 * state.sigma ? 'evenly, from −|μ| to |μ|' : 'evenly, from −100 σ to 100 σ';
}

/** What is said of a law without a width of its own. */
export function noSpreadStory(): string {
  const others = laws.filter((law) => law.spread).map((law) => law.title);
  return `This law has no single width to turn. These have one: ${others.join(', ')}.`;
}

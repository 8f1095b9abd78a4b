import { lawOf } from '../state/laws';
import type { State } from '../state/state';
import { plain } from './number';

/** The law as the program reads it, with all its keys, except one that is swept. */
export function lawText(state: State, without?: string): string {
  const law = lawOf(state);
  if (!law) return state.law;
  const keys = law.keys.filter(({ key }) => key !== without).map(({ key, field }) => `${key}=${plain(state[field])}`);
  return keys.length > 0 ? `${law.prefix}:${keys.join(',')}` : law.prefix;
}

/** Formats that store numbers in blocks with one scale: these have no single bits to ask for. */
export const isBlockFormat = (format: string): boolean => /^(mxfp|nvfp|block:)/.test(format);

const usualTemperature = 300;

export function temperatureWords(state: State): string[] {
  return state.T === usualTemperature ? [] : ['--temperature', plain(state.T)];
}

export function entropyWords(state: State): string[] {
  const bits = isBlockFormat(state.format) ? [] : ['--bits'];
  return ['entropy', state.format, lawText(state), ...bits, ...temperatureWords(state)];
}

export function pictureWords(state: State): string[] {
  return ['entropy', state.format, lawText(state)];
}

export const formatWords = (state: State): string[] => ['format', state.format];

/** p and E of a format such as p24e8. */
export function sizesOf(format: string): { p: number; E: number } | null {
  const match = /^p(\d+)e(\d+)$/.exec(format);
  return match ? { p: Number(match[1]), E: Number(match[2]) } : null;
}

/** As the program has them. */
export const precisions = { least: 1, most: 64 };
export const exponents = { least: 0, most: 15 };

const between = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.min(most, Math.max(least, Math.round(value)));

export function formatOf(p: number, E: number): string {
  return `p${between(p, precisions)}e${between(E, exponents)}`;
}

/** Bits moved between exponent and mantissa, the register as wide as it was. */
export function traded(p: number, E: number, nextE: number): string {
  const most = Math.min(exponents.most, p + E - precisions.least);
  const least = Math.max(exponents.least, p + E - precisions.most);
  const next = between(nextE, { least, most });
  return formatOf(p + E - next, next);
}

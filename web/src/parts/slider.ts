// Places on a slider, from 0 to 1, and the values there.

/** 'whole': few whole numbers, evenly spaced; 'count': whole numbers over many decades. */
export type Scale = 'linear' | 'log' | 'whole' | 'signed' | 'count';

export interface Stretch {
  kind: Scale;
  min: number;
  max: number;
}

/** The part of a signed slider that means zero, so that one can hit it. */
const zeroHalf = 0.02;

const clamp = (place: number): number => Math.min(1, Math.max(0, place));

/** Three digits are what a hand can aim at; they make permalinks and commands short. */
const rounded = (value: number): number => Number(value.toPrecision(3));

function logPlace(min: number, max: number, value: number): number {
  return clamp(Math.log(value / min) / Math.log(max / min));
}

function logValue(min: number, max: number, place: number): number {
  return rounded(min * Math.exp(place * Math.log(max / min)));
}

export function toPlace({ kind, min, max }: Stretch, value: number): number {
  if (kind === 'log' || kind === 'count') return logPlace(min, max, value);
  if (kind !== 'signed') return clamp((value - min) / (max - min));
  if (value === 0) return 0.5;
  const out = zeroHalf + (0.5 - zeroHalf) * logPlace(min, max, Math.abs(value));
  return 0.5 + Math.sign(value) * out;
}

export function fromPlace({ kind, min, max }: Stretch, place: number): number {
  if (kind === 'log') return logValue(min, max, place);
  if (kind === 'count') return Math.round(logValue(min, max, place));
  if (kind !== 'signed') {
    const step = 10 ** Math.floor(Math.log10((max - min) / 500));
    return Number((Math.round((min + place * (max - min)) / step) * step).toPrecision(12));
  }
  const out = Math.abs(place - 0.5);
  if (out <= zeroHalf) return 0;
  return Math.sign(place - 0.5) * logValue(min, max, (out - zeroHalf) / (0.5 - zeroHalf));
}

const arrows: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/** Where an arrow key takes a count: to the next one, or by a twentieth; null: not our key. */
export function countAfter(key: string, value: number, min: number, max: number): number | null {
  const direction = arrows[key];
  if (direction === undefined) return null;
  const next = rounded(value + direction * Math.max(1, Math.floor(value / 20)));
  return Math.min(max, Math.max(min, Math.round(next)));
}

/** Where an arrow key takes a value on a signed slider: a hundredth of the way, out of zero at once and never over it. */
export function signedAfter(key: string, value: number, stretch: Stretch): number | null {
  const direction = arrows[key];
  if (direction === undefined) return null;
  if (value === 0) return direction * stretch.min;
  const next = fromPlace(stretch, Math.min(1, Math.max(0, toPlace(stretch, value) + direction / 100)));
  return next * value < 0 ? 0 : next;
}

import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { powerOfTen, short } from '../words/number';
import type { Axis } from './types';

export type Place = ScaleContinuousNumeric<number, number>;

export function placeOf(axis: Axis, range: [number, number]): Place {
  const isDrawn = axis.domain.every((end) => Number.isFinite(end) && (axis.kind !== 'log' || end > 0));
  const domain = isDrawn ? axis.domain : [1, 10];
  return axis.kind === 'log' ? scaleLog(domain, range) : scaleLinear(domain, range);
}

/** Powers of ten, as many as fit: every one, every second, every fifth ... */
function decades([low, high]: [number, number], most: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const stride = [1, 2, 5, 10, 20, 50, 100].find((step) => (last - first) / step <= most) ?? 200;
  const ticks: number[] = [];
  for (let power = Math.ceil(first / stride) * stride; power <= last; power += stride) ticks.push(Number(`1e${power}`));
  return ticks;
}

/** 1, 2, 5, 10, 20 ...: where less than two powers of ten are in sight. */
function fewTicks([low, high]: [number, number]): number[] {
  const first = Math.floor(Math.log10(low));
  const ticks = [first, first + 1, first + 2].flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  return ticks.filter((tick) => tick >= low && tick <= high);
}

export function ticksOf(axis: Axis, place: Place, most: number): number[] {
  if (axis.kind === 'log') {
    const tens = decades(axis.domain, most);
    if (tens.length >= 2) return tens;
    const few = fewTicks(axis.domain);
    if (few.length >= 2 && few.length <= most + 2) return few;
  }
  return place.ticks(Math.max(2, Math.min(most, axis.ticks ?? most)));
}

/** The roundest number between two. */
function roundest(low: number, high: number): number {
  for (let digits = 1; digits < 17; digits += 1) {
    const round = Number(((low + high) / 2).toPrecision(digits));
    if (low <= round && round <= high) return round;
  }
  return low;
}

const power = (value: number): number => Math.floor(Math.log10(value) + 1e-9);

/** Each with the digits that tell it from its neighbors; so close that those are many, as what is added to one of them. */
export function tickTexts(axis: Axis, ticks: number[]): string[] {
  if (axis.format) return ticks.map(axis.format);
  const step = Math.min(...ticks.slice(1).map((tick, i) => Math.abs(tick - (ticks[i] as number))));
  const ends = [ticks[0] ?? 0, ticks.at(-1) ?? 0];
  const digits = 1 + power(Math.max(...ends.map(Math.abs))) - power(step);
  if (axis.kind !== 'log' && digits > 8 && step > 0) {
    const base = roundest(Math.min(...ends), Math.max(...ends));
    return ticks.map((tick) => {
      const more = Math.round((tick - base) / step) * step;
      const start = short(base, 17);
      return more === 0 ? start : `${start} ${more < 0 ? '−' : '+'} ${short(Math.abs(more), 3)}`;
    });
  }
  // Beside 10⁻⁵, a 100,000 would look out of place.
  const known = Math.max(6, Number.isFinite(digits) ? Math.min(digits, 12) : 6);
  return ticks.map((tick) => (axis.kind === 'log' && tick >= 1e4 ? powerOfTen(tick) : short(tick, known)));
}

/** About as wide as a text of the ticks is, in pixels. */
export const textWidth = (text: string): number => 6.6 * text.length;

interface Ticks {
  ticks: number[];
  texts: string[];
}

/** As many ticks as have room for their texts beside each other; of those that have none, the first and the last. */
export function ticksAcross(axis: Axis, place: Place, room: number): Ticks {
  const made = (most: number): Ticks => {
    const ticks = ticksOf(axis, place, most);
    return { ticks, texts: tickTexts(axis, ticks) };
  };
  let most = Math.max(2, Math.floor(room / 64));
  let found = made(most);
  for (let next = found; most >= 2 && next.ticks.length >= 2; next = made((most -= 1))) {
    found = next;
    const apart = Math.min(...found.ticks.slice(1).map((tick, i) => Math.abs(place(tick) - place(found.ticks[i] as number))));
    if (apart > 8 + Math.max(...found.texts.map(textWidth))) return found;
  }
  const isEnd = (_: unknown, i: number): boolean => i === 0 || i === found.ticks.length - 1;
  return { ticks: found.ticks.filter(isEnd), texts: found.texts.filter(isEnd) };
}

/** A coordinate that a browser can draw: infinite ones overflow its numbers, and what is none is out of sight. */
export function safe(place: Place, value: number): number {
  const pixel = place(value);
  return pixel > -1e5 ? Math.min(1e5, pixel) : -1e5;
}

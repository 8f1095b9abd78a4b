import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { powerOfTen, short } from '../words/number';
import type { Axis } from './types';

export type Place = ScaleContinuousNumeric<number, number>;

export function placeOf(axis: Axis, range: [number, number]): Place {
  return axis.kind === 'log' ? scaleLog(axis.domain, range) : scaleLinear(axis.domain, range);
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

export function tickText(axis: Axis, value: number): string {
  if (axis.format) return axis.format(value);
  // Beside 10⁻⁵, a 100,000 would look out of place.
  return axis.kind === 'log' && value >= 1e4 ? powerOfTen(value) : short(value, 6);
}

/** A coordinate that a browser can draw: infinite ones overflow its numbers. */
export function safe(place: Place, value: number): number {
  return Math.min(1e5, Math.max(-1e5, place(value)));
}

import type { Color } from '../../charts/types';
import type { Bit } from '../../engine/register-answers';

/** A register of so many bits fills the page; shorter ones show how much shorter they are. */
const roomFor = 34;
/** The same for a small one on a phone, where boxes would become too thin to be touched. */
const smallRoomFor = 17;
/** Pixels; a room below that is a phone's. */
export const phone = 520;
/** Beyond the right end of the page, so many pixels are another bit. */
const pixelsBeyond = 5;

export function unitOf(room: number, bits: number): number {
  const isSmall = room < phone && bits < smallRoomFor;
  return room / Math.max(bits, isSmall ? smallRoomFor : roomFor);
}

/** How many bits reach up to the pointer, with boxes as wide as they were when it was taken. */
export function bitsAt(pointer: number, unit: number, room: number): number {
  if (pointer <= room) return Math.round(pointer / unit);
  return Math.round(room / unit) + Math.round((pointer - room) / pixelsBeyond);
}

export interface FieldOfBits {
  name: string;
  color: Color;
  first: number;
  count: number;
  entropy: number;
}

const colors: Record<string, Color> = { sign: 'sign', exponent: 'exponent', mantissa: 'mantissa' };

/** Neighbors whose names begin alike: "exponent 7", "exponent 6" ... A posit's bits have no fixed field. */
export function fieldsOf(bits: Bit[]): FieldOfBits[] {
  const fields: FieldOfBits[] = [];
  bits.forEach((bit, index) => {
    const name = bit.name.split(' ')[0] as string;
    const last = fields[fields.length - 1];
    if (last?.name === name) {
      last.count += 1;
      last.entropy += bit.entropy;
    } else {
      fields.push({ name, color: colors[name] ?? 'mantissa', first: index, count: 1, entropy: bit.entropy });
    }
  });
  return fields;
}

/** Pixels that a character of a name takes at most, by and large, and between two names. */
const characterWidth = 7.4;
const between = 12;

/**
 * Where the names below the fields begin: over the middle of its field, or after the name before it; all on one line.
 * null: one would end up below another field, so they need a list of their own.
 */
export function namePlaces(fields: FieldOfBits[], texts: string[], box: number, room: number): number[] | null {
  const places: number[] = [];
  let free = 0;
  for (const [index, { first, count }] of fields.entries()) {
    const width = (texts[index] ?? '').length * characterWidth;
    const left = first * box;
    const right = left + count * box;
    const place = Math.max(free, (left + right - width) / 2);
    // A name after another one keeps its middle below its field; the first may begin with its field.
    if ((index > 0 && place + width / 2 > right) || place + width > room) return null;
    places.push(place);
    free = place + width + between;
  }
  return places;
}

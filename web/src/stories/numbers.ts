import { asNumber } from '../engine/answers';
import type { Measured, MeasureAnswer } from '../engine/measure-answers';
import { joules, known, short } from '../words/number';
import { bytes, percent } from '../words/numbers';

/** What is seen of the row that is shown. */
export function rowStory(row: Measured): string {
  const carried = `${row.counted ? '' : 'at most '}${known(row.total, row.error, 2)}`;
  const begin = `${row.name}: ${short(row.count, 9)} numbers of ${row.bits} bits carry ${carried} bits each`;
  if (!row.normal) return `${begin}.`;
  const theory = `a normal law around zero as wide would carry ${known(row.normal.total, row.error, 2)}`;
  const away = Math.abs(row.total - row.normal.total);
  if (away <= 2 * row.error) return `${begin}, and ${theory}: no difference that so many numbers could show.`;
  return `${begin}; ${theory}. ${whyNot(row)}`;
}

function whyNot(row: Measured): string {
  const center = Math.abs(asNumber(row.mean));
  if (row.total > (row.normal?.total ?? 0)) return 'They are spread more evenly over the codes than a bell would be.';
  if (center > 2 * asNumber(row.deviation)) return 'They lie to one side of zero, so sign and leading bits hardly change.';
  if (row.zeros > row.count / 20) return 'Many of them are zero.';
  return 'Their law has another shape.';
}

/** Whether the least that all files take is known, or only that it is at most so much: of wide numbers bytes are counted apart. */
export const floorIs = (answer: MeasureAnswer): string =>
  answer.groups.every((group) => group.counted) ? 'at least' : 'at most';

/** What is seen of all files together. */
export function fileStory(answer: MeasureAnswer): string {
  const share = percent(answer.floor_bytes / Math.max(1, answer.bytes));
  const size = `${bytes(answer.floor_bytes)} of the ${bytes(answer.bytes)} (${share})`;
  const heat = `${joules(answer.joules)} at ${short(answer.temperature)} K`;
  return floorIs(answer) === 'at least'
    ? `A lossless code, number by number, needs at least ${size}, and erasing them all costs at least ${heat}.`
    : `A lossless code, number by number, needs no more than ${size}, and erasing them all need cost no more than ${heat}: ` +
        'bytes below the 16 leading bits are counted each by itself, as if they said nothing of each other.';
}

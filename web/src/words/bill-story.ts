import type { Step } from '../charts/types';
import type { CostAnswer, EntropyAnswer, Fields } from '../engine/answers';
import type { BillState } from '../state/learning';
import { points } from './bill';
import { grouped, joules, short } from './number';

/** Where the bits of a bill come from; with several features the bill itself does not say, the registers do. */
export function fieldsOf(
  answer: CostAnswer,
  bill: BillState,
  x: EntropyAnswer | null,
  y: EntropyAnswer | null,
): (Fields & { shared: number }) | null {
  if (answer.fields) return answer.fields;
  const [ofX, ofY] = [x?.fields, y?.fields];
  if (!ofX || !ofY) return null;
  const all = (field: keyof Fields): number => points(bill) * (bill.features * ofX[field] + ofY[field]);
  const sum = { sign: all('sign'), exponent: all('exponent'), mantissa: all('mantissa') };
  return { ...sum, shared: sum.sign + sum.exponent + sum.mantissa - answer.input_bits };
}

/** All amounts with the decimals that the largest deserves. */
function amountWriter(largest: number): (amount: number) => string {
  const decimals = Math.max(0, 5 - Math.floor(Math.log10(Math.max(1, largest))));
  return (amount) => `${grouped(amount.toFixed(decimals))} bits`;
}

/** The bill as a waterfall: each part begins where the one before it ends. */
export function billSteps(answer: CostAnswer, { sign, exponent, mantissa, shared }: Fields & { shared: number }): Step[] {
  const sum = sign + exponent + mantissa;
  const write = amountWriter(sum);
  const step = (name: string, from: number, to: number, color: Step['color']): Step => ({
    name,
    from,
    to,
    text: write(to - from),
    color,
  });
  return [
    step('signs of the inputs', 0, sign, 'sign'),
    step('their exponents', sign, sign + exponent, 'exponent'),
    step('their mantissas', sign + exponent, sum, 'mantissa'),
    step('less what x and y share', sum, sum - shared, 'muted'),
    step('less what is handed on', sum - shared, answer.bits, 'muted'),
    { ...step('erased', 0, answer.bits, 'ink'), text: `${write(answer.bits)} = ${joules(answer.joules)}` },
    { ...step('of that, the precision p', 0, answer.precision_bits, 'mantissa'), isPart: true },
  ];
}

export const percent = (share: number): string => `${short(100 * share, share > 0.995 || share < 0.1 ? 2 : 3)} %`;

const bits = (amount: number): string => `${short(amount, Math.abs(amount) < 100 ? 4 : 5)} bits`;

/** What is handed on; what is below the error bar is nothing. */
const handedOn = (answer: CostAnswer): number => (answer.output_bits > answer.error ? answer.output_bits : 0);

function kept(answer: CostAnswer): string {
  const share = handedOn(answer) / answer.input_bits;
  if (share < 1e-9) return 'all of it is';
  return share < 0.01 ? `the rest, all but ${percent(share)}, is` : `the other ${percent(1 - share)} are`;
}

export function billStory(answer: CostAnswer, bill: BillState): string {
  const amount = points(bill);
  const loaded = `${amount === 1 ? 'One point goes' : `${short(amount, 7)} points go`} in with ${bits(answer.input_bits)}`;
  const result = bill.features > 1 ? `${bill.features} coefficients come` : 'one slope comes';
  const precision = answer.precision_bits / answer.bits;
  const share =
    precision > 0 && precision <= 1
      ? `${percent(precision)} of the bill is precision: bits that a coarser register would not have.`
      : 'The precision by itself would be more than the whole bill: x and y share much, or little of them fits their registers.';
  return `${loaded}, ${result} out with ${bits(handedOn(answer))}, and ${kept(answer)} forgotten. ${share}`;
}

/** How far the bill of the paper's process is off. */
export function ghostStory(answer: CostAnswer, process: EntropyAnswer): string {
  const gap = answer.output_bits - process.value;
  if (Math.abs(gap) < 5e-4) return 'The paper’s Ornstein–Uhlenbeck process and SGD’s own law hold the same to a thousandth of a bit here.';
  const side = gap > 0 ? 'too narrow: it would make the bill' : 'too wide: it would make the bill';
  return `The paper’s Ornstein–Uhlenbeck process is ${side} ${short(Math.abs(gap), 3)} bits ${gap > 0 ? 'higher' : 'lower'}.`;
}

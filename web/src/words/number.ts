// Numbers as people write them: as many digits as are known, a true minus sign, powers of ten.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const minus = '−';

function superscript(power: number): string {
  const digits = String(Math.abs(power)).replace(/\d/g, (digit) => superscripts[Number(digit)] as string);
  return power < 0 ? `⁻${digits}` : digits;
}

/** "1e-7" as "10⁻⁷", "2.5e+10" as "2.5 × 10¹⁰". */
function withPower(text: string): string {
  const [mantissa, power] = text.split('e') as [string, string | undefined];
  if (power === undefined) return mantissa;
  const ten = `10${superscript(Number(power))}`;
  if (mantissa === '1') return ten;
  return mantissa === `${minus}1` ? `${minus}${ten}` : `${mantissa} × ${ten}`;
}

const withMinus = (text: string): string => text.replace(/^-/, minus);

/** Digits with a true minus sign and, from 10,000 on, thousands in groups. */
export function grouped(text: string): string {
  const [whole, ...fraction] = withMinus(text).split('.') as [string, ...string[]];
  const groups = whole.replace(minus, '').length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return [groups, ...fraction].join('.');
}

/** Up to so many significant digits, no trailing zeros, thousands in groups: "1,000", "0.02", "10⁻⁷". */
export function short(value: number, digits = 4): string {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return withPower(withMinus(String(rounded.toExponential()).replace('e+', 'e')));
  }
  return grouped(String(rounded));
}

/** "10⁵", "2 × 10⁴": in this way also where short() would write zeros. */
export function powerOfTen(value: number, digits = 4): string {
  return withPower(withMinus(Number(value.toPrecision(digits)).toExponential().replace('e+', 'e')));
}

/** Decimals that a value with this error bar deserves: the bar's leading digit is the last one shown. */
export function decimals(error: number, most = 12): number {
  if (!(error > 0) || !Number.isFinite(error)) return most;
  return Math.min(most, Math.max(0, -Math.floor(Math.log10(error))));
}

/** The value with the digits that its error bar leaves, at most `most` decimals. */
export function known(value: number, error: number, most = 9): string {
  if (!Number.isFinite(value)) return short(value);
  return grouped(value.toFixed(decimals(error, most)));
}

/** The bar itself, one digit, rounded up: a bar may grow by rounding, never shrink. */
export function bar(error: number): string {
  if (!(error > 0)) return '0';
  const power = Math.floor(Math.log10(error));
  const digit = Math.ceil(error / 10 ** power - 1e-9);
  return short(Number(`${digit}e${power}`), 1);
}

/** For a box that one types into, and for the words of a command: read back exactly. */
export function plain(value: number): string {
  const text = String(value);
  return (/0{6}$/.test(text) ? value.toExponential() : text).replace('e+', 'e');
}

const prefixes: [number, string][] = [
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
  [1e-12, 'p'],
  [1e-15, 'f'],
  [1e-18, 'a'],
  [1e-21, 'z'],
  [1e-24, 'y'],
];

/** An energy with a prefix: "75.98 zJ". */
export function joules(energy: number, digits = 4): string {
  const size = Math.abs(energy);
  if (size === 0) return '0 J';
  if (size >= 1e3 || size < 1e-25) return `${short(energy, digits)} J`;
  const [factor, prefix] = prefixes.find(([least]) => size >= least * 0.9999) ?? [1e-24, 'y'];
  return `${short(energy / factor, digits)} ${prefix}J`;
}

const counted = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** "no bits", "one bit", "18 bits", at the beginning of a sentence with a capital. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${counted[number] ?? short(number)} ${number === 1 ? one : many}`;
}

/** "14.4 bits", "1 bit". */
export function bitsOf(number: number, digits = 4): string {
  const text = short(number, digits);
  return `${text} ${text === '1' ? 'bit' : 'bits'}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

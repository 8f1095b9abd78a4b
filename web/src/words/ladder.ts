import { bar, short } from './number';

const readable = (condition: string): string =>
  condition.replaceAll('||', '‖').replaceAll('<=', '≤').replaceAll('eps0', 'ε₀').replaceAll('sigma', 'σ').replaceAll('mu', 'μ').replaceAll('^2', '²');

/** "D(f||g) <= 0.01 (here 0.26), ...": only what does not hold; another text is only made readable. */
export function unmet(condition: string): string {
  const needs = condition.split(/(?<=\)), /).map((need) => /^(.+) <= (\S+) \(here (\S+)\)$/.exec(need));
  // What is no number, such as inf or nan, does not hold either.
  const failed = needs.filter((need) => need !== null && !(Number(need[3]) <= Number(need[2])));
  if (needs.includes(null) || failed.length === 0) return readable(condition);
  return failed
    .map((need) => {
      const [, what = '', most, here = ''] = need as RegExpExecArray;
      const value = Number(here);
      return `${readable(what)} is ${here === 'inf' ? '∞' : Number.isNaN(value) ? here : short(value, 2)}, more than ${short(Number(most), 2)}`;
    })
    .join('; ');
}

/** A difference from a value with an error bar: what is below it is not known. */
export function offBy(difference: number, error: number): string {
  return Math.abs(difference) < error ? `< ${bar(error)}` : short(difference, 2);
}

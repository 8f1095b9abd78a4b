import { capital, short } from './number';

// The program's warnings are written for a terminal; here they stand on a page, which has no options to point at.

const laws: Record<string, string> = {
  "the law 'moments'": 'the normal law with SGD’s moments',
  "the law 'ou'": 'the Ornstein–Uhlenbeck law',
};

/** A warning of the program as the page says it: no options, numbers as people write them, a sentence. */
export function warningText(text: string): string {
  const named = Object.entries(laws).reduce((said, [name, words]) => said.replaceAll(name, words), text);
  const alone = named.replace(/; see (--|the law ')[^;]*/g, '');
  return `${capital(alone.replace(/\d+(\.\d+)?e[+-]?\d+/g, (number) => short(Number(number))))}.`;
}

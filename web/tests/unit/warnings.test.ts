import { expect, it } from 'vitest';
import { warningText } from '../../src/words/warnings';

it.each([
  [
    "the law 'moments' is 0.11 bits from the exact law here (21.60 against 21.49); see the law 'exact'",
    'The normal law with SGD’s moments is 0.11 bits from the exact law here (21.60 against 21.49).',
  ],
  ['the smooth entropies are not to be trusted here; see --entropy exact', 'The smooth entropies are not to be trusted here.'],
  ['1e+02 % of y is beyond the largest number of e4m3, 448', '100 % of y is beyond the largest number of e4m3, 448.'],
  ['the second law asks for a constant larger by 3.667428e+07', 'The second law asks for a constant larger by 3.667 × 10⁷.'],
])('%s', (warning, text) => {
  expect(warningText(warning)).toBe(text);
});

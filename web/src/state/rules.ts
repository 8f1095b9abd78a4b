// What a value in a hand-edited address may be. A key without a rule takes any finite number, or any text.

export interface Rule {
  holds(value: number | string): boolean;
  expected: string;
}

export const views = ['register', 'range', 'formats', 'bill', 'optimum', 'mismatch', 'numbers'];

export function oneOf(...words: string[]): Rule {
  return { holds: (value) => words.includes(String(value)), expected: `one of ${words.join(', ')}` };
}

export const positive: Rule = {
  holds: (value) => Number(value) > 0,
  expected: 'a number above 0',
};

export const wholeFrom = (least: number): Rule => ({
  holds: (value) => Number.isInteger(value) && Number(value) >= least,
  expected: `a whole number from ${least}`,
});

const word: Rule = { holds: (value) => value !== '', expected: 'a name' };

export const rules: Record<string, Rule> = {
  format: word,
  law: word,
  sigma: positive,
  dof: positive,
  shape: positive,
  T: positive,
  meanAxis: oneOf('log', 'linear'),
  view: oneOf(...views),
};

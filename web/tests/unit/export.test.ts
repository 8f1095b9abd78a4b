import { expect, it } from 'vitest';
import { csvText } from '../../src/charts/export';

it('a table has columns of any lengths, each with a name of its own', () => {
  const text = csvText([
    ['x', [1, 2]],
    ['error', [null, 'a,b']],
    ['error', [0.5]],
    ['error', []],
  ]);
  expect(text).toBe('x,error,error_2,error_3\n1,,0.5,\n2,"a,b",,\n');
});

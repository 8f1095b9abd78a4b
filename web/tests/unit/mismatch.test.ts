import { describe, expect, it } from 'vitest';
import { mismatchDefaults, readBounds, writeBounds } from '../../src/state/learning';
import { landscapeWords, mismatchWords } from '../../src/words/mismatch';

const regression = mismatchDefaults();
const descent = { ...regression, kind: 'sgd' as const };

describe('the mismatch', () => {
  it('is asked for at a point', () => {
    expect(mismatchWords('p24e8', regression, 300, 'exact').join(' ')).toBe(
      'mismatch exact p24e8 --n 10 --w 1 --alpha 1 --constant 400 --bounds 0.75,5,0.5,5 --sigma-x 3 --sigma-xi 2',
    );
  });

  it('of SGD has its steps', () => {
    expect(mismatchWords('p24e8', descent, 4, 'smooth').join(' ')).toBe(
      'mismatch sgd p24e8 --steps 50 --batch 1 --eta 0.01 --w0 1 --w 1 --alpha 1 --constant 400 ' +
        '--bounds 0.75,5,0.5,5 --sigma-x 3 --sigma-xi 2 --temperature 4 --entropy smooth',
    );
  });

  it('has a landscape that stays while the point moves', () => {
    const here = landscapeWords('p24e8', regression, 'smooth', 33);
    const there = landscapeWords('p24e8', { ...regression, sigmaX: 1, sigmaXi: 4 }, 'smooth', 33);
    expect(there).toEqual(here);
    expect(here.join(' ')).toContain('--landscape 33');
  });
});

describe('bounds', () => {
  it('are four numbers in order', () => {
    expect(readBounds('0.75,5,0.5,5')).toEqual({ xFrom: 0.75, xTo: 5, xiFrom: 0.5, xiTo: 5 });
    for (const wrong of ['', '1,2,3', '1,2,3,4,5', '2,1,3,4', '1,2,4,3', '0,2,3,4', '1,2,3,x', '1,,3,4', '1,inf,2,3']) {
      expect(readBounds(wrong), wrong).toBeNull();
    }
  });

  it('are written as they are read', () => {
    expect(writeBounds(readBounds('0.1,20,1e-7,3')!)).toBe('0.1,20,1e-7,3');
  });
});

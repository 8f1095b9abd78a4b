import { describe, expect, it } from 'vitest';
import type { Measured } from '../../src/engine/measure-answers';
import { numbersRules } from '../../src/state/numbers';
import { fileStory, rowStory } from '../../src/stories/numbers';
import { histogramOf } from '../../src/views/numbers/histogram';
import { bfloat16, sampleContent } from '../../src/views/numbers/sample';
import { bytes, measureWords, nameOfGroup, toggled } from '../../src/words/numbers';

describe('the words that measure files', () => {
  it('name the files, the formats and the type', () => {
    expect(measureWords(['a.csv', '-b.npy'], { as: 'e4m3,mxfp4', dtype: 'F32' }, 310)).toEqual([
      'measure', 'a.csv', './-b.npy', '--bits', '--as', 'e4m3,mxfp4', '--dtype', 'F32', '--temperature', '310',
    ]);
    expect(measureWords(['a.csv'], { as: '', dtype: '' }, 300)).toEqual(['measure', 'a.csv', '--bits']);
  });

  it('put formats in and take them out, in one order', () => {
    const all = ['a', 'b', 'c'];
    expect(toggled('', 'b', all)).toBe('b');
    expect(toggled('b', 'a', all)).toBe('a,b');
    expect(toggled('a,b', 'a', all)).toBe('b');
  });

  it('writes sizes as the program does', () => {
    expect(bytes(27797)).toBe('27.8 kB');
    expect(bytes(42)).toBe('42 bytes');
    expect(bytes(1)).toBe('1 byte');
  });

  it('takes known formats from the address only', () => {
    expect(numbersRules['numbers.as']?.holds('e4m3,mxfp4')).toBe(true);
    expect(numbersRules['numbers.as']?.holds('')).toBe(true);
    expect(numbersRules['numbers.as']?.holds('e4m3,;rm')).toBe(false);
  });
});

describe('the example', () => {
  it('rounds to bfloat16, ties to even', () => {
    expect(bfloat16(1)).toBe(0x3f80);
    expect(bfloat16(1 + 2 ** -8)).toBe(0x3f80);
    expect(bfloat16(1 + 3 * 2 ** -8)).toBe(0x3f82);
    expect(bfloat16(-0.02)).toBe(0xbca4);
  });

  it('is a whole file of safetensors', async () => {
    const content = new DataView(await sampleContent().arrayBuffer());
    const length = content.getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(content.buffer.slice(8, 8 + length)));
    expect(header['norm.gain'].data_offsets[1]).toBe(content.byteLength - 8 - length);
  });
});

const row: Measured = {
  name: 'w', dtype: 'BF16', tensors: 1, count: 20000, mean: 0, deviation: 1, zeros: 0, infinities: 0, nans: 0,
  smallest: 0.1, largest: 3, bits: 16, total: 10.46, error: 0.04, counted: true, sign: 1, exponent: 2.5, mantissa: 6.9,
  normal: { total: 10.46, sign: 1, exponent: 2.5, mantissa: 6.9 }, bytes: 40000, floor_bytes: 26154,
  exponents: [
    { exponent: -9, seen: 1e-5, normal: 1e-5 },
    { exponent: -2, seen: 0.3, normal: 0.2 },
    { exponent: 0, seen: 0.5, normal: 0.6 },
  ],
};

describe('what is seen', () => {
  it('says whether the normal law would do', () => {
    expect(rowStory(row)).toContain('no difference');
    expect(rowStory(row)).toContain('a normal law around zero as wide would carry 10.46');
    expect(rowStory({ ...row, total: 6, mean: 1, deviation: 0.1 })).toContain('to one side of zero');
    expect(rowStory({ ...row, counted: false })).toContain('at most');
  });

  it('calls a tensor by its own name', () => {
    const tensors = ['b.3.down.weight', 'b.3.down-weight', 'b.up.weight'].map((name) => ({ file: '/x/b.st', name, dtype: 'BF16' }));
    const group = { ...row, name: 'b.*.down.weight' };
    expect(nameOfGroup(group, tensors)).toBe('b.3.down.weight');
    expect(nameOfGroup({ ...group, tensors: 2 }, tensors)).toBe('b.*.down.weight');
    expect(nameOfGroup({ ...group, dtype: 'F32' }, tensors)).toBe('b.*.down.weight');
    expect(nameOfGroup({ ...row, name: 'w-*.npy' }, [{ file: '/tmp/w-3.npy', name: '', dtype: 'BF16' }])).toBe('w-3.npy');
  });

  it('leaves gaps in the stairs where nothing was seen', () => {
    const histogram = histogramOf(row);
    expect(histogram?.domain).toEqual([-2.7, 0.7]);
    expect(histogram?.line.points.map(([, y]) => y)).toEqual([0.2, NaN, 0.6, 0.6]);
    expect(histogramOf({ ...row, exponents: [] })).toBeNull();
  });
});

describe('the story of files', () => {
  const answer = { tensors: [], groups: [row], bytes: 40000, floor_bytes: 26154, joules: 6e-16, temperature: 300, warnings: [] };

  it('tells the least from the most', () => {
    expect(fileStory(answer)).toMatch(/needs at least 26.2 kB .* costs at least 600/);
    const wide = fileStory({ ...answer, groups: [row, { ...row, counted: false }] });
    expect(wide).toMatch(/needs no more than 26.2 kB .* cost no more than 600/);
    expect(wide).not.toMatch('least');
  });
});

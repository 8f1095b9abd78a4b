import { describe, expect, it } from 'vitest';
import { pack, unpack } from '../../pack-plugin';

const bytes = (text: string) => Buffer.from(text, 'utf8');

/** A module with one function of so many instructions, and what stands around it. */
function moduleOf(instructions: number): Buffer {
  const leb = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >> 7)]);
  const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content];
  const body = [1, 2, 0x7f, ...Array.from({ length: instructions }, (_, i) => [0x41, i & 63, 0x21, i & 1]).flat(), 0x0b];
  const table = [0, 0x02, 0x40, 0x20, 0, 0x0e, 1, 0, 0, 0x0b, 0x0b];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 0, 0, 0x60, 1, 0x7f, 0]),
    ...section(3, [2, 0, 1]),
    ...section(10, [2, ...leb(body.length), ...body, ...leb(table.length), ...table]),
    ...section(0, [4, ...bytes('name')]),
  ]);
}

describe('the packer', () => {
  it('gives back what it was given', async () => {
    for (const text of ['', 'a', 'μ = 1 '.repeat(1000), String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => (i * i * 7919) % 251))]) {
      expect((await unpack(await pack(bytes(text), false), false)).toString('utf8')).toBe(text);
    }
  });

  it('makes less of what comes again', async () => {
    expect((await pack(bytes('const entropy = (p) => -p * Math.log2(p);'.repeat(100)), false)).length).toBeLessThan(80);
  });

  it('leaves out the sizes of functions, whatever they are', async () => {
    for (const instructions of [1, 20, 200, 5000]) {
      const module = moduleOf(instructions);
      expect(WebAssembly.validate(Uint8Array.from(module))).toBe(true);
      expect((await unpack(await pack(module, true), true)).equals(module)).toBe(true);
    }
  });
});

// A small file of weights to begin with: what a layer of a model looks like, made here, the same ones
// every time.

/** Mulberry32: enough for an example. */
function uniform(seed: number): () => number {
  let word = seed;
  return () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), 1 | word);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** To the nearest bfloat16, ties to even. */
export function bfloat16(value: number): number {
  float[0] = value;
  const bits = word[0] as number;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

function codes(count: number, mean: number, deviation: number, random: () => number): Uint16Array {
  return Uint16Array.from({ length: count }, () => bfloat16(mean + deviation * normal(random)));
}

/** Weights about zero, and gains about one, whose leading bits do not change: a .safetensors file. */
export function sampleContent(): Blob {
  const random = uniform(2);
  const tensors: [string, number[], Uint16Array][] = [
    ['layer.weight', [160, 120], codes(19200, 0, 0.02, random)],
    ['norm.gain', [2000], codes(2000, 1, 0.02, random)],
  ];
  let end = 0;
  const header = Object.fromEntries(
    tensors.map(([name, shape, numbers]) => {
      const begin = end;
      end += numbers.byteLength;
      return [name, { dtype: 'BF16', shape, data_offsets: [begin, end] }];
    }),
  );
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new DataView(new ArrayBuffer(8));
  length.setUint32(0, text.length, true);
  const parts = [length.buffer, text, ...tensors.map(([, , numbers]) => numbers as BlobPart)];
  return new Blob(parts);
}

export const sampleFile = (): File => new File([sampleContent()], 'example.safetensors');

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformWithEsbuild, type Plugin } from 'vite';

const folder = fileURLToPath(new URL('../build/engine', import.meta.url));
const wasm = (name: string) => readFileSync(`${folder}/${name}.wasm`);

/** Bytes that web/packer/packer.cpp has room for. */
const most = 2 ** 22;

/** What it gives. */
interface Packer {
  memory: WebAssembly.Memory;
  input(): number;
  output(): number;
  pack(length: number, isWasm: number): number;
  unpack(isWasm: number): number;
}

async function run(name: string, content: Uint8Array, work: (packer: Packer) => number): Promise<Buffer> {
  const { instance } = await WebAssembly.instantiate(wasm(name));
  const packer = instance.exports as unknown as Packer;
  new Uint8Array(packer.memory.buffer, packer.input()).set(content);
  const length = work(packer);
  return Buffer.from(packer.memory.buffer, packer.output(), length);
}

export const unpack = (packed: Uint8Array, isWasm: boolean) => run('unpacker', packed, (unpacker) => unpacker.unpack(Number(isWasm)));

/** A third smaller than what gzip makes of it. Throws if it would not come out again as it was. */
export async function pack(content: Uint8Array, isWasm: boolean): Promise<Buffer> {
  if (content.length > most) throw new Error(`${content.length} bytes are more than the packer holds`);
  const packed = await run('packer', content, (packer) => packer.pack(content.length, Number(isWasm)));
  if (!(await unpack(packed, isWasm)).equals(content)) throw new Error('what was packed does not come out again');
  return packed;
}

/** The page in one file, with its script and the engine packed. */
async function packedPage(html: string, engine: Buffer): Promise<string> {
  const found = /<script type="module" crossorigin>([\s\S]*?)<\/script>/.exec(html);
  if (!found?.[1]) throw new Error('there is no script in the page');
  const loader = await transformWithEsbuild(readFileSync(new URL('src/loader.ts', import.meta.url), 'utf8'), 'loader.ts', {
    minify: true,
    target: 'es2022',
  });
  const data = (id: string, content: Buffer) => `<script type="text/plain" id="${id}">${content.toString('base64')}</script>`;
  const parts = [
    data('unpacker', wasm('unpacker')),
    data('page', await pack(Buffer.from(found[1]), false)),
    data('engine', await pack(engine, true)),
    `<script type="module">${loader.code.trim()}</script>`,
  ];
  return html.replace(found[0], '').replace('</body>', () => `${parts.join('\n')}\n</body>`);
}

/** Vite writes a folder; the one file in it becomes `file`. */
export function packed(from: string, file: string): Plugin {
  return {
    name: 'ktln2-pack',
    async closeBundle() {
      writeFileSync(file, await packedPage(readFileSync(`${from}/index.html`, 'utf8'), wasm('engine')));
      rmSync(from, { recursive: true });
    },
  };
}

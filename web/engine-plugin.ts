import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('../build/engine', import.meta.url));

/** The compiled library: `virtual:engine/bytes` brings it from a file beside the page or, in a single file, out of its text. */
export function engine(single: boolean): Plugin {
  const name = 'virtual:engine/bytes';
  return {
    name: 'ktln2-engine',
    resolveId(id) {
      return id === name ? `\0${id}` : undefined;
    },
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const wasm = `${folder}/engine.wasm`;
      if (!existsSync(wasm)) this.error(`there is no ${wasm}: ./run web compiles it`);
      if (single) return inlined(readFileSync(wasm));
      const file = this.emitFile({ type: 'asset', name: 'ktln2.wasm', source: readFileSync(wasm) });
      return `export const bytes = () =>
        fetch(import.meta.ROLLUP_FILE_URL_${file}).then((found) => found.arrayBuffer());`;
    },
  };
}

/** xz takes a quarter less than gzip, which browsers know by themselves. */
function inlined(wasm: Buffer): string {
  const packed = execFileSync('xz', ['--check=crc32', '--lzma2=preset=9e,lc=4,pb=0', '--stdout'], { input: wasm, maxBuffer: 2 ** 28 });
  return `import { XzReadableStream } from 'xz-decompress';
    const text = '${packed.toString('base64')}';
    export const bytes = () => {
      const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      return new Response(new XzReadableStream(new Blob([packed]).stream())).arrayBuffer();
    };`;
}

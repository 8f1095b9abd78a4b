import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('../build/engine', import.meta.url));

/**
 * The compiled library. `virtual:engine/glue` is what emscripten wrote around it; `virtual:engine/bytes`
 * brings the WebAssembly itself: from a file beside the page or, in a single file, out of its text.
 */
export function engine(single: boolean): Plugin {
  const names = ['virtual:engine/glue', 'virtual:engine/bytes'];
  return {
    name: 'ktln2-engine',
    resolveId(id) {
      return names.includes(id) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith('\0virtual:engine/')) return undefined;
      const wasm = `${folder}/engine.wasm`;
      if (!existsSync(wasm)) this.error(`there is no ${wasm}: ./run web compiles it`);
      if (id.endsWith('glue')) return readFileSync(`${folder}/engine.mjs`, 'utf8');
      if (single) return inlined(readFileSync(wasm));
      const file = this.emitFile({ type: 'asset', name: 'ktln2.wasm', source: readFileSync(wasm) });
      return `export const bytes = () =>
        fetch(import.meta.ROLLUP_FILE_URL_${file}).then((found) => found.arrayBuffer());`;
    },
  };
}

function inlined(wasm: Buffer): string {
  return `const text = '${gzipSync(wasm, { level: 9 }).toString('base64')}';
    export const bytes = () => {
      const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      return new Response(stream).arrayBuffer();
    };`;
}

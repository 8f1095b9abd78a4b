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
      // src/loader.ts has unpacked it.
      if (single) return 'export const bytes = () => Promise.resolve(globalThis.unpackedEngine);';
      const wasm = `${folder}/engine.wasm`;
      if (!existsSync(wasm)) this.error(`there is no ${wasm}: ./run web compiles it`);
      const file = this.emitFile({ type: 'asset', name: 'ktln2.wasm', source: readFileSync(wasm) });
      return `export const bytes = () =>
        fetch(import.meta.ROLLUP_FILE_URL_${file}).then((found) => found.arrayBuffer());`;
    },
  };
}

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { engine } from './engine-plugin';
import { formulas } from './formula-plugin';
import { packed } from './pack-plugin';

const singleFolder = '../build/web/single';
const singleFile = '../build/web/ktln2.html';

// Two builds: a folder that works from any path, and (--mode single) one HTML file that works from
// file://, where a browser refuses module scripts and workers from other files.
export default defineConfig(({ mode }) => {
  const single = mode === 'single';
  return {
    base: './',
    plugins: [
      engine(single),
      formulas(),
      svelte(),
      ...(single ? [viteSingleFile({ removeViteModuleLoader: true }), packed(singleFolder, singleFile)] : []),
    ],
    build: {
      outDir: single ? singleFolder : '../build/web/site',
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
    },
    // A classic script: the only kind of worker that a page from file:// may have.
    worker: { format: 'iife' as const },
    test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' },
  };
});

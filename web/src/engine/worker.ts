import start from 'virtual:engine/glue';
import type { FromWorker, Question, Reply, ToWorker } from './protocol';

/** What emscripten makes of web/engine/engine.cpp. */
interface Engine {
  ask(words: string): string;
  table(words: string): string;
  picture(words: string): string;
  FS: {
    mkdir(path: string): void;
    chdir(path: string): void;
    mount(type: unknown, options: { files: File[] }, path: string): void;
    unmount(path: string): void;
    rmdir(path: string): void;
  };
  WORKERFS: unknown;
}

let engine: Promise<Engine>;

function instantiate(module: WebAssembly.Module): Promise<Engine> {
  return start({
    // Nothing is loaded from there, but without it the glue makes an address of its own, which a page from
    // file:// does not have.
    locateFile: (name: string) => name,
    instantiateWasm(imports: WebAssembly.Imports, ready: (made: WebAssembly.Instance) => void) {
      void WebAssembly.instantiate(module, imports).then(ready);
      return {};
    },
  }) as Promise<Engine>;
}

/** Files are read where they lie: none is copied into memory. */
function measured(of: Engine, words: string[], files: File[]): string {
  const place = '/files';
  of.FS.mkdir(place);
  of.FS.mount(of.WORKERFS, { files }, place);
  of.FS.chdir(place);
  try {
    const names = files.map((file) => file.name);
    return of.ask(JSON.stringify(['measure', ...words, '--', ...names]));
  } finally {
    of.FS.chdir('/');
    of.FS.unmount(place);
    of.FS.rmdir(place);
  }
}

function answer(of: Engine, { kind, words, files = [] }: Question): Reply {
  try {
    const reply = kind === 'measure' ? measured(of, words, files) : of[kind](JSON.stringify(words));
    return JSON.parse(reply) as Reply;
  } catch (reason) {
    return { failure: String(reason) };
  }
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    engine = instantiate(data.module);
    return;
  }
  const reply = answer(await engine, data);
  self.postMessage({ id: data.id, reply } satisfies FromWorker);
};

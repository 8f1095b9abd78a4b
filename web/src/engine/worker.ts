import type { FromWorker, Question, Reply, ToWorker } from './protocol';

/** What web/engine/engine.cpp gives. */
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  room(length: number): number;
  ask(): number;
  table(): number;
  picture(): number;
  answer(): number;
}

let module: WebAssembly.Module;
let engine: Promise<Exports>;
/** Bytes. */
const muchMemory = 2 ** 28;
/** What the user gave to the page: files are read where they lie, and none is copied into memory. */
let given: File[] = [];

function bytesAt(of: Exports, place: number, length: number): Uint8Array {
  return new Uint8Array(of.memory.buffer, place, length);
}

/** web/engine/files.cpp calls these. */
const page = (memory: () => Exports) => ({
  find_file(name: number, length: number): number {
    const wanted = new TextDecoder().decode(bytesAt(memory(), name, length));
    return given.findIndex((file) => file.name === wanted);
  },
  file_size: (file: number): number => (given[file] as File).size,
  read_file(file: number, offset: number, to: number, length: number) {
    const part = (given[file] as File).slice(offset, offset + length);
    bytesAt(memory(), to, length).set(new Uint8Array(new FileReaderSync().readAsArrayBuffer(part)));
  },
});

async function started(): Promise<Exports> {
  const instance: WebAssembly.Instance = await WebAssembly.instantiate(module, {
    page: page(() => instance.exports as unknown as Exports),
    env: { emscripten_notify_memory_growth: () => {} },
    // There is no system around a page, and so no environment.
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: () => 0,
      proc_exit: () => {
        throw new Error('the engine gave up');
      },
    },
  });
  const made = instance.exports as unknown as Exports;
  made._initialize();
  return made;
}

function reply(of: Exports, kind: 'ask' | 'table' | 'picture', words: string[]): Reply {
  const asked = new TextEncoder().encode(words.map((word) => `${word}\0`).join(''));
  bytesAt(of, of.room(asked.length), asked.length).set(asked);
  const length = of[kind]();
  return JSON.parse(new TextDecoder().decode(bytesAt(of, of.answer(), length))) as Reply;
}

function answer(of: Exports, { kind, words, files = [] }: Question): Reply {
  given = files;
  try {
    if (kind !== 'measure') return reply(of, kind, words);
    return reply(of, 'ask', ['measure', ...words, '--', ...files.map((file) => file.name)]);
  } catch (reason) {
    return { failure: String(reason) };
  }
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    module = data.module;
    engine = started();
    return;
  }
  const used = await engine;
  const said = answer(used, data);
  self.postMessage({ id: data.id, reply: said } satisfies FromWorker);
  // What throws does not tidy up, and memory that was taken is not given back: another engine answers the next question.
  if (!('answer' in said) || used.memory.buffer.byteLength > muchMemory) engine = started();
};

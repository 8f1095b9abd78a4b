import { bytes } from 'virtual:engine/bytes';
import { EngineLane, Superseded } from './lane';
import type { Question } from './protocol';
import { rowsOf, type Cell } from './rows';
import EngineWorker from './worker?worker&inline';

export { Superseded };

/** What the user asked for is impossible; the message is the program's. */
export class Mistake extends Error {}

/** What is soon answered, and what may take its time: two workers. */
export type Lane = 'fast' | 'slow';

export interface How {
  lane: Lane;
  /** A later request with the same key makes an earlier one reject with Superseded. */
  key: string;
}

export interface Table {
  headings: string[];
  rows: Cell[][];
}

/** A law over the values that a register can hold, as [left, right, …] of each part. */
export interface Picture {
  left: number;
  right: number;
  is_log: boolean;
  has_atoms: boolean;
  /** … mean density */
  steps: [number, number, number][];
  /** … stored value, probability */
  cells: [number, number, number | null, number | null][];
  /** … width of the cells */
  bands: [number, number, number][];
}

export interface Engine {
  /** What `ktln2 WORDS --json` prints. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ask(words: string[], how: How): Promise<any>;
  /** What `ktln2 sweep …` prints. */
  table(words: string[], how: How): Promise<Table>;
  /** What `ktln2 entropy … --plot` draws below the bits. */
  picture(words: string[], how: How): Promise<Picture>;
  /** What `ktln2 measure FILES WORDS --json` prints. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  measure(files: File[], words: string[], how: How): Promise<any>;
}

export async function createEngine(): Promise<Engine> {
  const module = await WebAssembly.compile(await bytes());
  const spawn = () => {
    const worker = new EngineWorker();
    worker.postMessage({ module });
    return worker;
  };
  const lanes = {
    // What stands on top is what is looked at.
    fast: new EngineLane(spawn, { milliseconds: 400 }, ['register', 'picture']),
    slow: new EngineLane(spawn, { milliseconds: 60 }),
  };
  const request = async (question: Question, { lane, key }: How) => {
    const reply = await lanes[lane].request(question, key);
    if ('mistake' in reply) throw new Mistake(reply.mistake);
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.answer;
  };
  return {
    ask: (words, how) => request({ kind: 'ask', words }, how),
    async table(words, how) {
      const found = await request({ kind: 'table', words }, how);
      const { headings, csv } = found as { headings: string[]; csv: string };
      return { headings, rows: rowsOf(csv) };
    },
    picture: (words, how) => request({ kind: 'picture', words }, how) as Promise<Picture>,
    measure: (files, words, how) => request({ kind: 'measure', words, files }, how),
  };
}

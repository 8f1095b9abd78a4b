// What the page and its workers say to each other.

/** The words of a command, and what is wanted of it. */
export interface Question {
  kind: 'ask' | 'table' | 'picture' | 'measure';
  words: string[];
  /** Of `measure`: what the user gave to the page. */
  files?: File[];
}

export type ToWorker = { module: WebAssembly.Module } | (Question & { id: number });

/** A mistake is the user's, a failure is the program's. */
export type Reply = { answer: unknown } | { mistake: string } | { failure: string };

export type FromWorker = { id: number; reply: Reply };

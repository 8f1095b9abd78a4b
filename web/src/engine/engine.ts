// Types of the engine; the workers behind them follow.
export type Lane = 'fast' | 'slow';
export class Mistake extends Error {}
export class Superseded extends Error {}
export interface How {
  lane: Lane;
  key: string;
}
export interface Table {
  headings: string[];
  rows: (number | string | null)[][];
}
export interface Picture {
  left: number;
  right: number;
  is_log: boolean;
  has_atoms: boolean;
  steps: [number, number, number][];
  cells: [number, number, number, number][];
  bands: [number, number, number][];
}
export interface Engine {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ask(words: string[], how: How): Promise<any>;
  table(words: string[], how: How): Promise<Table>;
  picture(words: string[], how: How): Promise<Picture>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  measure(files: File[], words: string[], how: How): Promise<any>;
  version(): Promise<string>;
}
export function createEngine(): Promise<Engine> {
  return Promise.reject(new Mistake('there is no engine yet'));
}

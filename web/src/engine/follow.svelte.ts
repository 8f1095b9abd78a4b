import { getContext } from 'svelte';
import { Mistake, Superseded, type Engine } from './engine';

export const useEngine = (): Engine => getContext<Engine>('engine');

/** pending: nothing to show yet, or not for the present state; error: `message` says what is impossible. */
export type Status = 'pending' | 'smooth' | 'exact' | 'error';

/** Milliseconds without a change before something slow is asked for. */
const pause = 120;

export interface Followed<Value> {
  /** The last answer; it stays while the next one is computed, so that nothing flickers. */
  readonly value: Value | null;
  /** Whether `value` belongs to the present state. */
  readonly isFresh: boolean;
  readonly message: string;
  /** Whether `message` belongs to the present state. */
  readonly hasFailed: boolean;
}

/**
 * Asks again whenever state that `request` reads has changed. Use while a component is made:
 *   const answer = follow(() => engine.ask(entropyWords(state), { lane: 'fast', key: 'register' }));
 * A request that returns null asks nothing. One that takes long returns what is to be called once nothing
 * has changed for a moment, so that a drag does not queue up hundreds of them:
 *   follow(() => { const words = compareWords(state); return () => engine.ask(words, ...); });
 */
export function follow<Value>(request: () => Promise<Value> | (() => Promise<Value>) | null): Followed<Value> {
  let value = $state.raw<Value | null>(null);
  let message = $state('');
  let isFresh = $state(false);
  let hasFailed = $state(false);
  // Answers come in the order of their questions, but not all of them: while one drags, each that comes is shown,
  // though newer questions wait, and only the answer to the newest is fresh.
  let newest = 0;
  let shown = 0;
  $effect(() => {
    newest += 1;
    const number = newest;
    const isLate = (): boolean => number < shown;
    const take = (promise: Promise<Value>): Promise<void> =>
      promise.then(
        (answer) => {
          if (isLate()) return;
          shown = number;
          value = answer;
          message = '';
          isFresh = number === newest;
          hasFailed = false;
        },
        (reason: unknown) => {
          if (isLate() || reason instanceof Superseded) return;
          shown = number;
          message = reason instanceof Mistake ? reason.message : String(reason);
          hasFailed = number === newest;
        },
      );
    const asked = request();
    isFresh = false;
    hasFailed = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    if (typeof asked === 'function') later = setTimeout(() => void take(asked()), pause);
    else if (asked) void take(asked);
    else {
      // Nothing is asked: what was asked before is no longer of interest.
      shown = number;
      message = '';
    }
    return () => clearTimeout(later);
  });
  return {
    get value() {
      return value;
    },
    get isFresh() {
      return isFresh;
    },
    get message() {
      return message;
    },
    get hasFailed() {
      return hasFailed;
    },
  };
}

/** What a view says of itself in data-state, from its exact and, if it has one, its smooth answer. */
export function statusOf(exact: Followed<unknown>, smooth?: Followed<unknown>): Status {
  if (exact.hasFailed) return 'error';
  if (exact.isFresh) return 'exact';
  return smooth?.isFresh ? 'smooth' : 'pending';
}

import { getContext } from 'svelte';
import { Mistake, Superseded, type Engine } from './engine';

export const useEngine = (): Engine => getContext<Engine>('engine');

/** pending: nothing to show yet, or not for the present state; error: `message` says what is impossible. */
export type Status = 'pending' | 'smooth' | 'exact' | 'error';

export interface Followed<Value> {
  /** The last answer; it stays while the next one is computed, so that nothing flickers. */
  readonly value: Value | null;
  /** Whether `value` belongs to the present state. */
  readonly isFresh: boolean;
  readonly message: string;
}

/**
 * Asks again whenever state that `request` reads has changed. Use while a component is made:
 *   const answer = follow(() => engine.ask(entropyWords(state), { lane: 'fast', key: 'register' }));
 * A request that returns null asks nothing.
 */
export function follow<Value>(request: () => Promise<Value> | null): Followed<Value> {
  let value = $state.raw<Value | null>(null);
  let message = $state('');
  let isFresh = $state(false);
  $effect(() => {
    let isCurrent = true;
    const promise = request();
    isFresh = false;
    promise?.then(
      (answer) => {
        if (!isCurrent) return;
        value = answer;
        message = '';
        isFresh = true;
      },
      (reason: unknown) => {
        if (!isCurrent || reason instanceof Superseded) return;
        message = reason instanceof Mistake ? reason.message : String(reason);
      },
    );
    return () => {
      isCurrent = false;
    };
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
  };
}

/** What a view says of itself in data-state, from its exact and, if it has one, its smooth answer. */
export function statusOf(exact: Followed<unknown>, smooth?: Followed<unknown>): Status {
  if (exact.message !== '') return 'error';
  if (exact.isFresh) return 'exact';
  return smooth?.isFresh ? 'smooth' : 'pending';
}

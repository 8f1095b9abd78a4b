import type { Followed } from './follow.svelte';

export interface Latest<Value> {
  value: Value | null;
  /** Shown, and marked, until the exact answer is there. */
  isSmooth: boolean;
}

/** What to show of two answers: the exact one if it is of the present state, else the smooth one, which came after it. */
export function latest<Value>(exact: Followed<Value>, smooth: Followed<Value>, hasSmooth: boolean): Latest<Value> {
  if (exact.message !== '') return { value: null, isSmooth: false };
  const isSmooth = !exact.isFresh && hasSmooth && smooth.value !== null;
  return { value: isSmooth ? smooth.value : exact.value, isSmooth };
}

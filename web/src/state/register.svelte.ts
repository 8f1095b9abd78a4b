import { getContext, setContext } from 'svelte';
import type { Engine } from '../engine/engine';
import { follow, type Followed } from '../engine/follow.svelte';
import type { FormatAnswer, StoredAnswer } from '../engine/register-answers';
import { entropyWords, formatWords } from '../words/register';
import { state } from './state.svelte';

/** What the register of the state holds, asked for once and shown in several places. */
export interface Register {
  stored: Followed<StoredAnswer>;
  format: Followed<FormatAnswer>;
}

/** To be called once, while App is made. */
export function followRegister(engine: Engine): void {
  const stored = follow<StoredAnswer>(() => engine.ask(entropyWords(state), { lane: 'fast', key: 'register' }));
  const format = follow<FormatAnswer>(() => engine.ask(formatWords(state), { lane: 'fast', key: 'format' }));
  setContext('register', { stored, format });
}

export const useRegister = (): Register => getContext<Register>('register');

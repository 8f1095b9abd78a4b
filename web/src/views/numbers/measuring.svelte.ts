import { Mistake, Superseded, type Engine } from '../../engine/engine';
import type { MeasureAnswer } from '../../engine/measure-answers';
import { settings } from '../../state/state.svelte';
import { measureOptions, measureWords, nameOfGroup } from '../../words/numbers';
import { sampleFile } from './sample';

/** Files up to this size are measured at once; larger ones do not keep the other pictures waiting. */
const small = 1 << 18;

/** The files that are looked at, and what the program says of them. */
export class Measuring {
  files = $state.raw<File[]>([sampleFile()]);
  isExample = $state(true);
  answer = $state.raw<MeasureAnswer | null>(null);
  message = $state('');
  isBusy = $state(true);

  /** The command that says the same. */
  readonly words = $derived(
    measureWords(
      this.files.map((file) => file.name),
      settings.numbers,
      settings.T,
    ),
  );
  readonly #options = $derived(measureOptions(settings.numbers, settings.T));

  constructor(engine: Engine) {
    $effect(() => this.#measure(engine, this.files, this.#options));
  }

  take(files: Iterable<File>): void {
    const all = [...files];
    if (all.length === 0) return;
    this.files = all;
    this.isExample = false;
  }

  takeExample(): void {
    this.files = [sampleFile()];
    this.isExample = true;
  }

  #measure(engine: Engine, files: File[], options: string[]): () => void {
    let isCurrent = true;
    const total = files.reduce((sum, file) => sum + file.size, 0);
    this.isBusy = true;
    engine.measure(files, options, { lane: total <= small ? 'fast' : 'slow', key: 'numbers' }).then(
      (answer: MeasureAnswer) => {
        if (!isCurrent) return;
        this.answer = { ...answer, groups: answer.groups.map((one) => ({ ...one, name: nameOfGroup(one, answer.tensors) })) };
        this.message = '';
        this.isBusy = false;
      },
      (reason: unknown) => {
        if (!isCurrent || reason instanceof Superseded) return;
        this.answer = null;
        this.message = reason instanceof Mistake ? reason.message : String(reason);
        this.isBusy = false;
      },
    );
    return () => {
      isCurrent = false;
    };
  }
}

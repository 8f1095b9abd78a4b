import { asNumber, type ScalingAnswer } from '../../engine/answers';
import type { Engine, Table } from '../../engine/engine';
import { follow, type Followed } from '../../engine/follow.svelte';
import type { Point } from '../../charts/types';
import { soon } from '../../state/seen';
import { settings } from '../../state/state.svelte';
import { isIdealized } from '../../words/names';
import { signalToNoise } from '../../words/options';
import { lastSize, optimumWords, phaseSizes, phaseWords, priceWords, sizesUpTo, type Axis } from '../../words/optimum';
import { boundaries, type Boundaries } from '../../words/phases';

export interface Profit {
  smooth: Followed<ScalingAnswer>;
  exact: Followed<ScalingAnswer>;
  /** Ridge regression beside least squares, where there are features to choose it for. */
  ridge: Followed<ScalingAnswer>;
  /** Where the axis of sizes ends. */
  readonly last: number;
}

export function followProfit(engine: Engine): Profit {
  let last = $state(1000);
  const sizes = (): number[] => sizesUpTo(last, settings.optimum);
  // A formula is asked for more than is drawn, and not again when the axis moves while one drags.
  const reach = $derived(Math.max(last, 1e6));
  const smoothSizes = (): number[] => sizesUpTo(reach, settings.optimum, 200);
  const smooth = follow<ScalingAnswer>(() => {
    if (!isIdealized(settings.format)) return null;
    const words = optimumWords(settings.format, settings.optimum, 'smooth', smoothSizes());
    return soon('optimum', () => engine.ask(words, { lane: 'fast', key: 'optimum-smooth' }));
  });
  const exact = follow<ScalingAnswer>(() => {
    const words = optimumWords(settings.format, settings.optimum, 'exact', sizes());
    return () => engine.ask(words, { lane: 'slow', key: 'optimum' });
  });
  const ridge = follow<ScalingAnswer>(() => {
    const { optimum, format } = settings;
    if (optimum.kind !== 'exact' || optimum.features === 1 || !isIdealized(format)) return null;
    const words = optimumWords(format, { ...optimum, kind: 'ridge' }, 'smooth', smoothSizes());
    return soon('optimum', () => engine.ask(words, { lane: 'fast', key: 'optimum-ridge' }));
  });
  $effect(() => {
    // Only an answer to the present question may move the axis: the axis is part of the question.
    const answer = smooth.isFresh ? smooth.value : exact.isFresh ? exact.value : null;
    if (answer) last = lastSize(settings.optimum, answer.optima.map((one) => one.n));
  });
  return {
    smooth,
    exact,
    ridge,
    get last() {
      return last;
    },
  };
}

/** What the slider of the energy's price goes over. */
export const prices = { from: 1e12, to: 1e20, count: 49 };

/** Least squares and ridge regression with features have phases; SGD has the best size along the price. */
export const hasPhases = (): boolean => settings.optimum.features > 1 && settings.optimum.kind !== 'sgd';

const entropyKind = (): 'smooth' | 'exact' => (isIdealized(settings.format) ? 'smooth' : 'exact');

/** Words as one text, which is not new as long as they are the same: what they do not name may move meanwhile. */
const joined = (words: string[]): string => words.join('\n');

export function followPrices(engine: Engine): Followed<Point[]> {
  const words = $derived(joined(priceWords(settings.format, settings.optimum, entropyKind(), prices)));
  return follow<Point[]>(() => {
    if (hasPhases()) return null;
    const asked = words.split('\n');
    return () =>
      engine
        .table(asked, { lane: 'slow', key: 'optimum-prices' })
        .then(({ rows }) => rows.map(([price, best]): Point => [asNumber(price), asNumber(best)]));
  });
}

export type PhaseColumn = Boundaries & { snr: number };

/** Whether somebody drags in the picture of the phases: its axes stand still meanwhile. */
export const drag = $state({ isHeld: false });

/** What is drawn of the signal-to-noise ratios: always where we are, if that is not beyond all reason. */
function ratiosAround(snr: number): Axis {
  const decade = Math.log10(Math.min(1e8, Math.max(1e-6, snr)));
  const from = Math.min(-1, Math.floor(decade + 1e-9));
  const to = Math.max(2, Math.ceil(decade - 1e-9));
  return { from: Number(`1e${from}`), to: Number(`1e${to}`), count: 1 + 5 * (to - from) };
}

function columnsOf({ rows }: Table, sizes: number[], features: number): PhaseColumn[] {
  return rows.map(([snr, ...values]) => {
    const looked = sizes.map((n, i) => ({ n, revenue: asNumber(values[2 * i]), energy: asNumber(values[2 * i + 1]) }));
    return { snr: asNumber(snr), ...boundaries(looked, features) };
  });
}

export function followPhases(engine: Engine): Followed<PhaseColumn[]> {
  let ratios: Axis | undefined;
  const words = $derived.by(() => {
    const { features } = settings.optimum;
    if (!drag.isHeld || !ratios) ratios = ratiosAround(signalToNoise(settings.optimum, features));
    return joined(phaseWords(settings.format, settings.optimum, entropyKind(), ratios, phaseSizes(features)));
  });
  return follow<PhaseColumn[]>(() => {
    if (!hasPhases()) return null;
    const { features } = settings.optimum;
    const asked = words.split('\n');
    return () =>
      engine
        .table(asked, { lane: 'slow', key: 'optimum-phases' })
        .then((table) => columnsOf(table, phaseSizes(features), features));
  });
}

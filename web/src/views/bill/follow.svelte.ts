import { asNumber, type CostAnswer, type EntropyAnswer, type LawAnswer } from '../../engine/answers';
import { Mistake, type Engine, type Lane } from '../../engine/engine';
import { follow, type Followed } from '../../engine/follow.svelte';
import type { Point } from '../../charts/types';
import type { BillState } from '../../state/learning';
import { soon } from '../../state/seen';
import { settings } from '../../state/state.svelte';
import { bestLaw, billWords, registerWords, slopeLaw, slopeWords, type SgdLaw } from '../../words/bill';
import { isIdealized } from '../../words/names';

/** SGD's own law, or, where that would take too long, the normal law with its moments. */
async function askBest(engine: Engine, words: string[], otherwise: string[] | null): Promise<CostAnswer> {
  try {
    return await engine.ask(words, { lane: 'slow', key: 'bill' });
  } catch (reason) {
    if (!otherwise || !(reason instanceof Mistake)) throw reason;
    return engine.ask(otherwise, { lane: 'slow', key: 'bill' });
  }
}

export function followBill(engine: Engine): { smooth: Followed<CostAnswer>; exact: Followed<CostAnswer> } {
  const words = (entropy: 'exact' | 'smooth', law: SgdLaw): string[] =>
    billWords(settings.format, settings.bill, settings.T, entropy, law);
  const smooth = follow<CostAnswer>(() => {
    if (!isIdealized(settings.format)) return null;
    const asked = words('smooth', 'moments');
    return soon('bill', () => engine.ask(asked, { lane: 'fast', key: 'bill-smooth' }));
  });
  const exact = follow<CostAnswer>(() => {
    const law = bestLaw(settings.bill);
    const otherwise = settings.bill.kind === 'sgd' && law === 'exact' ? words('exact', 'moments') : null;
    const best = words('exact', law);
    return () => askBest(engine, best, otherwise);
  });
  return { smooth, exact };
}

/** One register of x and one of y: what the fields hold where the bill does not say, smooth or of many features. */
export function followRegisters(engine: Engine): { x: Followed<EntropyAnswer>; y: Followed<EntropyAnswer> } {
  const one = (which: 'x' | 'y'): Followed<EntropyAnswer> =>
    follow(() => {
      // Without smooth formulas, the bill of one feature says it itself.
      if (settings.bill.features === 1 && !isIdealized(settings.format)) return null;
      const words = registerWords(settings.format, settings.bill, which);
      return soon('bill', () => engine.ask(words, { lane: 'fast', key: `bill-${which}` }));
    });
  return { x: one('x'), y: one('y') };
}

/** What the slope of the paper's process holds. */
export function followProcess(engine: Engine): Followed<EntropyAnswer> {
  return follow(() => {
    const { kind, features } = settings.bill;
    if (kind !== 'sgd' || features > 1) return null;
    const words = ['entropy', settings.format, slopeLaw(settings.bill, 'ou')];
    return soon('bill', () => engine.ask(words, { lane: 'fast', key: 'bill-ou' }));
  });
}

export interface Densities {
  range: [number, number];
  /** Of the law that the bill has. */
  own: Point[];
  /** Of the process that the paper puts in its place. */
  process: Point[];
}

const looks = 120;

/** Where nearly all of some laws is: five deviations around the mean; for the widest, without one, five of `else`. */
function spanOf(laws: LawAnswer[], otherwise: number): [number, number] {
  const ends = laws.flatMap((law) => {
    const mean = asNumber(law.mean);
    const spread = asNumber(law.deviation);
    const half = 5 * (Number.isFinite(spread) && spread > 0 ? spread : otherwise);
    return Number.isFinite(mean) ? [mean - half, mean + half] : [];
  });
  return [Math.min(...ends), Math.max(...ends)];
}

const pointsOf = (places: number[], law: LawAnswer): Point[] =>
  places.map((place, i) => [place, asNumber(law.pdf?.[i])]);

interface Look {
  bill: BillState;
  /** The law to show for SGD; its process stands beside it. */
  law: SgdLaw;
  lane: Lane;
}

async function lookAt(engine: Engine, { bill, law, lane }: Look): Promise<Densities> {
  const laws: SgdLaw[] = bill.kind === 'sgd' ? [law, 'ou'] : ['exact'];
  const ask = (which: SgdLaw, places: number[]): Promise<LawAnswer> =>
    engine.ask(slopeWords(bill, which, places), { lane, key: `bill-${lane}-${which}-${places.length}` });
  // The normal law with SGD's moments is as wide as the exact one, and known at once.
  const found = await Promise.all(laws.map((which) => ask(bill.kind === 'sgd' && which === 'exact' ? 'moments' : which, [])));
  const range = spanOf(found, (2 * bill.sigmaXi) / bill.sigmaX);
  const places = Array.from({ length: looks + 1 }, (_, i) => range[0] + ((range[1] - range[0]) * i) / looks);
  const [own, process] = await Promise.all(laws.map((which) => ask(which, places)));
  return { range, own: pointsOf(places, own), process: process ? pointsOf(places, process) : [] };
}

/** The slope that is handed on: at once as a normal law where SGD has learned it, its own law after that. */
export function followSlope(engine: Engine): { first: Followed<Densities>; best: Followed<Densities> } {
  const first = follow(() => {
    const bill = $state.snapshot(settings.bill);
    return bill.features > 1 ? null : lookAt(engine, { bill, law: 'moments', lane: 'fast' });
  });
  const best = follow(() => {
    const bill = $state.snapshot(settings.bill);
    return bill.features > 1 || bill.kind === 'exact' ? null : () => lookAt(engine, { bill, law: 'exact', lane: 'slow' });
  });
  return { first, best };
}

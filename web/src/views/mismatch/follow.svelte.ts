import { refined, type Lattice } from '../../charts/contours';
import { asNumber, type MismatchAnswer } from '../../engine/answers';
import type { Engine } from '../../engine/engine';
import { follow, type Followed } from '../../engine/follow.svelte';
import { soon } from '../../state/seen';
import { settings } from '../../state/state.svelte';
import { landscapeWords, mismatchWords } from '../../words/mismatch';
import { isIdealized } from '../../words/names';

export interface Both<Value> {
  smooth: Followed<Value>;
  exact: Followed<Value>;
}

export function followCost(engine: Engine): Both<MismatchAnswer> {
  const words = (entropy: 'smooth' | 'exact'): string[] =>
    mismatchWords(settings.format, settings.mismatch, settings.T, entropy);
  return {
    smooth: follow(() => {
      if (!isIdealized(settings.format)) return null;
      const asked = words('smooth');
      return soon('mismatch', () => engine.ask(asked, { lane: 'fast', key: 'mismatch-smooth' }));
    }),
    exact: follow(() => {
      const asked = words('exact');
      return () => engine.ask(asked, { lane: 'slow', key: 'mismatch' });
    }),
  };
}

export interface Landscape {
  lattice: Lattice;
  answer: MismatchAnswer;
}

const ascending = (values: number[]): number[] => [...new Set(values)].sort((one, other) => one - other);

export function latticeOf(landscape: MismatchAnswer['landscape'] = []): Lattice {
  const xs = ascending(landscape.map((point) => point.sigma_x));
  const ys = ascending(landscape.map((point) => point.sigma_xi));
  const values = xs.map(() => ys.map(() => NaN));
  for (const point of landscape) values[xs.indexOf(point.sigma_x)][ys.indexOf(point.sigma_xi)] = asNumber(point.mmc_nats);
  return { xs, ys, values };
}

/** Points along a side: closed forms are quick, exact entropies take a millisecond each. */
const fine = 33;
const coarse = 17;

export function followLandscape(engine: Engine): Both<Landscape> {
  const words = (entropy: 'smooth' | 'exact', lattice: number): string[] =>
    landscapeWords(settings.format, settings.mismatch, entropy, lattice);
  return {
    smooth: follow(() => {
      if (!isIdealized(settings.format)) return null;
      const asked = words('smooth', fine);
      const made = (answer: MismatchAnswer): Landscape => ({ answer, lattice: latticeOf(answer.landscape) });
      return soon('mismatch', () => engine.ask(asked, { lane: 'fast', key: 'mismatch-ground-smooth' }).then(made));
    }),
    exact: follow(() => {
      const asked = words('exact', coarse);
      return () =>
        engine
          .ask(asked, { lane: 'slow', key: 'mismatch-ground' })
          .then((answer: MismatchAnswer) => ({ answer, lattice: refined(latticeOf(answer.landscape)) }));
    }),
  };
}

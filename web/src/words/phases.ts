// Which size is best at each price of energy, from what each size earns and takes: the profit is a straight line in the
// price, so that no further question is needed.

export interface SizeValue {
  n: number;
  revenue: number;
  energy: number;
}

export interface Boundaries {
  /** The price up to which more rows than features are best. */
  over: number;
  /** Up to which more than one row is. */
  under: number;
  /** Above which nothing pays. */
  one: number;
}

function bestAt(price: number, sizes: SizeValue[]): number {
  let best = sizes[0];
  for (const size of sizes) {
    if (size.revenue - price * size.energy > best.revenue - price * best.energy) best = size;
  }
  return best.n;
}

const cheapest = 1e-30;
const dearest = 1e60;

/** The highest price at which a size above `least` is best: dearer energy never makes the best size larger. */
function lastPrice(least: number, sizes: SizeValue[]): number {
  let low = Math.log(cheapest);
  let high = Math.log(dearest);
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (bestAt(Math.exp(middle), sizes) > least) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}

export function boundaries(sizes: SizeValue[], features: number): Boundaries {
  const pays = sizes.map((size) => size.revenue / size.energy).filter(Number.isFinite);
  const one = Math.max(0, ...pays);
  const under = Math.min(one, lastPrice(1, sizes));
  return { over: Math.min(under, lastPrice(features, sizes)), under, one };
}

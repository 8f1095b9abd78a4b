import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fromHash } from '../../src/state/url';

// The report of the paper links its figures to the explorer: figures.toml has the addresses.
const toml = readFileSync(new URL('../../../paper/figures/figures.toml', import.meta.url), 'utf8');
const addresses = [...toml.matchAll(/^explore = '([^']*)'$/gm)].map(([, address]) => address);

test('the figures of the paper have addresses', () => {
  expect(addresses.length).toBeGreaterThan(20);
});

test.each(addresses)('%s is understood', (address) => {
  expect(fromHash(`#${address.replace('@p', '5').replace('@E', '4')}`).troubles).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { Address } from '../../src/state/address';
import { defaults } from '../../src/state/state';
import { fromHash, toHash } from '../../src/state/url';

describe('the address', () => {
  it('of the defaults is empty', () => {
    expect(toHash(defaults())).toBe('#');
    expect(fromHash('').state).toEqual(defaults());
    expect(fromHash('#').troubles).toEqual([]);
  });
  it('restores every state', () => {
    const state = defaults();
    state.format = 'posit16';
    state.law = 'mixture:0.9@normal:sigma=1/0.1@normal:sigma=5';
    state.sigma = 1e-4;
    state.mu = -2.5e-17;
    state.bill.kind = 'sgd';
    state.bill.n = 12345;
    const read = fromHash(toHash(state));
    expect(read.troubles).toEqual([]);
    expect(read.state).toEqual(state);
  });
  it('is readable', () => {
    const state = defaults();
    state.sigma = 1e-4;
    state.law = 'truncated:low=-1,high=1@normal';
    state.bill.n = 500;
    expect(toHash(state)).toBe('#law=truncated:low%3D-1,high%3D1@normal&sigma=0.0001&bill.n=500');
  });
  it('names a section', () => {
    expect(fromHash('#bill').state.view).toBe('bill');
    expect(fromHash('#sigma=2&view=range').state.view).toBe('range');
  });
  it.each([
    ['#sigma=-1', 'sigma=-1', 'above 0'],
    ['#sigma=abc', 'sigma=abc', 'above 0'],
    ['#mu=', 'mu=', 'a number'],
    ['#mu=Infinity', 'mu=Infinity', 'a number'],
    ['#bill.kind=magic', 'bill.kind=magic', 'one of exact, sgd'],
    ['#bill.n=2.5', 'bill.n=2.5', 'a whole number'],
    ['#bill=3', 'bill=3', 'unknown'],
    ['#nonsense', 'view=nonsense', 'one of register'],
    ['#colour=blue', 'colour=blue', 'unknown'],
    ['#format=', 'format=', 'a name'],
    ['#mu=%E0%A4%A', 'mu=%E0%A4%A', 'a number'],
  ])('%s is named and the default used', (hash, named, expected) => {
    const { state, troubles } = fromHash(hash);
    expect(state).toEqual(defaults());
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toContain(named);
    expect(troubles[0]).toContain(expected);
  });
  it('says once what stands there twice', () => {
    expect(fromHash('#moon=1&moon=1').troubles).toHaveLength(1);
  });
});

describe('an address with two writers', () => {
  const place = { hash: '#sigma=2' };
  const past = { replaceState: (_: unknown, __: string, hash: string) => void (place.hash = hash === '#' ? '' : hash) };
  const address = new Address(place, past);

  it('is written over what was read', () => {
    expect(address.read()).toBe('#sigma=2');
    address.write('#sigma=3');
    address.write('#');
    expect(place.hash).toBe('');
    address.write('#sigma=4');
    expect(place.hash).toBe('#sigma=4');
  });
  it('keeps an edit that was not read yet', () => {
    place.hash = '#sigma=-1';
    address.write('#sigma=5');
    expect(address.read()).toBe('#sigma=-1');
    address.write('#sigma=5');
    expect(place.hash).toBe('#sigma=5');
  });
});

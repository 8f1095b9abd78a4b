export interface Preset {
  name: string;
  /** A permalink: what the anchor of the preset points to. */
  hash: string;
  what: string;
}

export const presets: Preset[] = [
  { name: '26.46 of 32', hash: '#', what: 'A standard normal number in a 32-bit register' },
  { name: 'σ does nothing', hash: '#sigma=1e-12&view=range', what: 'Twelve decades narrower, and the same entropy' },
  { name: 'μ = 1, σ = 1e-4: 18 bits go dark', hash: '#mu=1&sigma=1e-4', what: 'A mean leaves little to the leading bits' },
  { name: 'narrower than a cell', hash: '#mu=1&sigma=1e-8', what: 'The law falls into one or two cells' },
  { name: '1,000 points', hash: '#view=bill', what: 'What exact regression on a thousand points must cost' },
  {
    name: 'the collapse',
    hash: '#optimum.kind=sgd&optimum.w=5&optimum.energyPrice=1.4e17&view=optimum',
    what: 'Where energy is dear, stochastic gradient descent is worth one batch',
  },
  {
    name: 'never interpolate',
    hash: '#optimum.features=100&optimum.w=0.2&optimum.energyPrice=1e15&view=optimum',
    what: 'As many points as features is the worst size of all',
  },
];

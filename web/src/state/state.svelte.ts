import { tick } from 'svelte';
import { Address } from './address';
import { reveal } from './reveal';
import { defaults, type State } from './state';
import { copyInto, fromHash, toHash } from './url';

/**
 * The ONE state of the page. Views read it in $derived and $effect, and assign to its fields.
 * In a component it is called `settings`: with a variable `state`, Svelte takes $state for a store.
 */
export const settings: State = $state(defaults());
export { settings as state };

/** What is about the page, not about the question it answers. */
export const page = $state({ troubles: [] as string[] });

/** Browsers slow down a page that writes its address more than some 20 times a second. */
const addressPause = 150;

function show(hash: string): void {
  const read = fromHash(hash);
  copyInto(settings, read.state);
  page.troubles = read.troubles;
  const { view } = settings;
  if (view !== '') void tick().then(() => reveal(view));
}

/** The address of the page as it is now; with a view, one that opens there. */
export function permalink(view = ''): string {
  return toHash({ ...$state.snapshot(settings), view });
}

/** Keep address and state alike. To be called once, while App is made. */
export function followHash(): void {
  const address = new Address(location, history);
  show(address.read());
  let later: ReturnType<typeof setTimeout> | undefined;
  const write = (hash: string): void => {
    clearTimeout(later);
    later = setTimeout(() => address.write(hash), addressPause);
  };
  $effect(() => {
    const changed = (): void => {
      show(address.read());
      // Also if nothing is other than before: an address that means the same is spelled in one way.
      write(toHash(settings));
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  });
  $effect(() => {
    write(toHash(settings));
    return () => clearTimeout(later);
  });
}

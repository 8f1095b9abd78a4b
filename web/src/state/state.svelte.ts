import { tick } from 'svelte';
import { reveal } from './reveal';
import { defaults, type State } from './state';
import { fromHash, toHash } from './url';

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
  Object.assign(settings, read.state);
  page.troubles = read.troubles;
  if (settings.view !== '') {
    const view = settings.view;
    settings.view = '';
    void tick().then(() => reveal(view));
  }
}

/** The address of the page as it is now; with a view, one that opens there. */
export function permalink(view = ''): string {
  return toHash({ ...$state.snapshot(settings), view });
}

/** Keep address and state alike. To be called once, while App is made. */
export function followHash(): void {
  show(location.hash);
  $effect(() => {
    const changed = () => show(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  });
  $effect(() => {
    const hash = toHash(settings);
    const later = setTimeout(() => history.replaceState(null, '', hash), addressPause);
    return () => clearTimeout(later);
  });
}

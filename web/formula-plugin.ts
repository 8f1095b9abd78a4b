import temml from 'temml';
import type { Plugin } from 'vite';

// A .tex file with lines "name: formula" becomes a module { name: MathML, ... }. It is made here, when
// the page is built: the page needs no formula library, and a screen reader can read MathML.
export function formulas(): Plugin {
  return {
    name: 'formulas',
    transform(source, id) {
      if (!id.endsWith('.tex')) return null;
      const lines = source.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('%'));
      const entries = lines.map((line) => {
        const colon = line.indexOf(': ');
        const mathml = temml.renderToString(line.slice(colon + 1).trim(), { throwOnError: true });
        return [line.slice(0, colon).trim(), mathml];
      });
      return { code: `export default ${JSON.stringify(Object.fromEntries(entries))};`, map: null };
    },
  };
}

// Phones, dark pages, people who do not see or have no mouse.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { open, settled, singleFile, site, views } from './lib/page.mjs';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const modes = [
  [1280, 'light', '#'],
  [1280, 'dark', '#bill.kind=sgd&law=laplace'],
  [390, 'light', '#optimum.kind=sgd&mismatch.kind=sgd'],
  [390, 'dark', '#format=posit16&sigma=0.1'],
  // The widest register there is; what it costs to learn with it takes long to compute.
  [390, 'light', '#format=p64e15&law=uniform&low=-1', ['register', 'range', 'formats', 'numbers']],
];

for (const [width, scheme, hash, seen = views] of modes) {
  test(`${width} px, ${scheme}, ${hash}`, async (t) => {
    const page = await open(hash, { viewport: { width, height: 844 }, colorScheme: scheme });
    await settled(page, seen);
    await t.test('nothing is wider than the page', async () => {
      const wide = await page.evaluate(() => {
        const room = document.documentElement.clientWidth;
        const isClipped = (element) => element.closest('.scroll, svg, .skip') !== null && !element.matches('.scroll, svg');
        return document.documentElement.scrollWidth > room
          ? [...document.querySelectorAll('body *')].filter((one) => !isClipped(one) && one.getBoundingClientRect().right > room + 1).map((one) => `${one.tagName}.${one.className} ${one.getBoundingClientRect().right}`)
          : [];
      });
      assert.deepEqual(wide, []);
    });
    await t.test('axe-core finds nothing serious', async () => {
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`), []);
    });
    await page.context().close();
  });
}

test('the page is small', (t) => {
  const single = readFileSync(singleFile);
  const packed = gzipSync(single, { level: 9 }).length;
  t.diagnostic(`single file: ${single.length} bytes (at most 1200000), ${packed} with gzip (at most 400000)`);
  const files = readdirSync(site, { recursive: true }).map((name) => `${site}/${name}`).filter((name) => statSync(name).isFile());
  t.diagnostic(`folder: ${files.length} files, ${files.reduce((sum, name) => sum + statSync(name).size, 0)} bytes`);
  assert.ok(single.length <= 1.2e6);
  assert.ok(packed <= 4e5);
});

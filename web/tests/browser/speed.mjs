// How long one waits. On a busy machine everything takes longer, so the best of a few medians counts, and of
// drags the best of a few. What was measured is printed beside the bar. The bars are for an idle machine:
// KTLN2_STRICT_TIMES=1 holds the page to them, and without it only what is many times too slow fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go, open, section, settled } from './lib/page.mjs';

const tries = process.env.KTLN2_STRICT_TIMES ? 5 : 2;
const slack = process.env.KTLN2_STRICT_TIMES ? 1 : 8;
const median = (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)];

/**
 * Milliseconds from moving a slider to a picture of the new value, and to the exact one. `mark` is what changes with
 * it: a selector in the view, and the attribute to look at.
 */
function timesOf(page, view, slider, mark, places) {
  return section(page, view).evaluate(
    async (root, [testid, [selector, attribute], steps]) => {
      const control = document.querySelector(`[data-testid="${testid}"]`);
      const now = () => root.querySelector(selector)?.getAttribute(attribute);
      const until = (holds) =>
        new Promise((resolve) => {
          const look = () => holds() && end();
          const end = () => (observer.disconnect(), clearTimeout(later), resolve(performance.now()));
          // A picture that does not come at all is late, too.
          const later = setTimeout(end, 10000);
          const observer = new MutationObserver(look);
          observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
          look();
        });
      // What nobody sees need not be quick.
      root.scrollIntoView({ behavior: 'instant' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      const times = [];
      for (const step of steps) {
        const before = now();
        const began = performance.now();
        control.value = String(Number(control.min) + step * (Number(control.max) - Number(control.min)));
        control.dispatchEvent(new Event('input', { bubbles: true }));
        const first = (await until(() => now() !== before && ['smooth', 'exact'].includes(root.dataset.state))) - began;
        const exact = (await until(() => root.dataset.state === 'exact')) - began;
        times.push({ first, exact });
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      return times;
    },
    [slider, mark, places],
  );
}

const curve = (testid) => [`[data-testid=${testid}] path.curve`, 'd'];
const value = (testid) => [`[data-testid=${testid}]`, 'data-value'];

const waits = [
  { what: 'register', view: 'register', hash: '#mu=1&sigma=0.01', slider: 'register-sigma', mark: value('register-value'), first: 50, exact: 50 },
  { what: 'a curve of 200 points', view: 'range', hash: '#mu=1&sigma=0.01', slider: 'register-p', mark: curve('range-spread'), first: 100, exact: 100, whole: true },
  { what: 'bill, smooth and exact', view: 'bill', hash: '#', slider: 'bill-sigmaXi', mark: value('bill-bits'), first: 50, exact: 1000 },
  { what: 'bill of SGD, smooth and exact', view: 'bill', hash: '#bill.kind=sgd', slider: 'bill-eta', mark: value('bill-bits'), first: 50, exact: 1000 },
  { what: 'optimum, smooth and exact', view: 'optimum', hash: '#', slider: 'optimum-sigmaXi', mark: curve('optimum-chart'), first: 50, exact: 1000 },
  { what: 'mismatch, smooth and exact', view: 'mismatch', hash: '#', slider: 'mismatch-alpha', mark: value('mismatch-mmc'), first: 50, exact: 1000 },
];

for (const { what, view, hash, slider, mark, first, exact, whole } of waits) {
  test(`waiting: ${what}`, async (t) => {
    const page = await open(hash);
    await settled(page);
    const places = whole ? [0.3, 0.34, 0.3, 0.36, 0.32, 0.38, 0.34, 0.3, 0.35] : [0.56, 0.58, 0.55, 0.57, 0.61, 0.54, 0.59, 0.53, 0.6];
    const best = { first: Infinity, exact: Infinity };
    for (let attempt = 0; attempt < tries && (best.first > first || best.exact > exact); attempt += 1) {
      const times = await timesOf(page, view, slider, mark, places);
      best.first = Math.min(best.first, median(times.map((one) => one.first)));
      best.exact = Math.min(best.exact, median(times.map((one) => one.exact)));
    }
    t.diagnostic(`${what}: picture after ${best.first.toFixed(1)} ms (at most ${first}), exact after ${best.exact.toFixed(1)} ms (at most ${exact})`);
    await page.context().close();
    assert.ok(best.first <= first * slack, `first picture: ${best.first} ms, at most ${first}`);
    assert.ok(best.exact <= exact * slack, `exact picture: ${best.exact} ms, at most ${exact}`);
  });
}

/** Tasks of the main thread above 50 ms while something is dragged to and fro. */
async function longest(page, handle) {
  await handle.scrollIntoViewIfNeeded();
  const box = await handle.boundingBox();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => {
    window.long = [];
    window.watch = new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => entry.duration)));
    window.watch.observe({ type: 'longtask' });
  });
  for (let step = 1; step <= 30; step += 1) {
    await page.mouse.move(x + 60 * Math.sin(step / 5), y - 8 * Math.sin(step / 5));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  return page.evaluate(() => {
    window.long.push(...window.watch.takeRecords().map((entry) => entry.duration));
    window.watch.disconnect();
    return Math.max(0, ...window.long);
  });
}

test('dragging keeps the main thread free', async (t) => {
  const page = await open('#mu=1&sigma=0.5');
  await settled(page);
  const handles = page.locator('main [role=slider]');
  const count = await handles.count();
  assert.ok(count >= 4, `${count} handles`);
  for (let index = 0; index < count; index += 1) {
    const name = await handles.nth(index).evaluate((one) => one.dataset.testid ?? one.getAttribute('aria-label'));
    await t.test(name, async (each) => {
      let best = Infinity;
      for (let attempt = 0; attempt < tries && best > 50; attempt += 1) {
        await go(page, '#mu=1&sigma=0.5');
        best = Math.min(best, await longest(page, handles.nth(index)));
      }
      each.diagnostic(`${name}: longest task ${best === 0 ? 'under 50' : best} ms (at most 50)`);
      assert.ok(best <= 50 * slack, `a task of ${best} ms`);
    });
  }
  await page.context().close();
});

// Every control moves its picture, by the keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go, open, section, settled } from './lib/page.mjs';

/** Views, at permalinks that between them show every control there is. */
const places = [
  ['register', '#mu=1&sigma=0.5'],
  ['register', '#law=uniform&low=-1'],
  ['register', '#law=student&mu=0.5'],
  ['range', '#mu=1&sigma=0.5'],
  ['formats', '#'],
  ['bill', '#'],
  ['bill', '#bill.kind=sgd&bill.steps=20'],
  ['optimum', '#'],
  ['optimum', '#optimum.kind=sgd&optimum.features=3'],
  ['mismatch', '#'],
  ['mismatch', '#mismatch.kind=sgd&mismatch.steps=10'],
  ['numbers', '#'],
];

const controls = [
  'input[type=range]:enabled',
  '[role=slider]',
  'select:enabled',
  'input[type=radio]:enabled:not(:checked)',
  'input[type=checkbox]:enabled',
  'table button[aria-pressed=false]',
].join(', ');

/** All that is drawn, and the numbers that stand beside it. */
function picture(page, view) {
  return section(page, view).evaluate((root) =>
    [...root.querySelectorAll('svg, table, [data-value]')].map((drawn) => drawn.outerHTML).join('\n'),
  );
}

async function use(control) {
  const kind = await control.evaluate((element) => element.getAttribute('role') ?? element.type ?? element.tagName);
  if (kind === 'range' || kind === 'slider') {
    await control.focus();
    const isAtEnd = await control.evaluate(
      (element) => Number(element.getAttribute('aria-valuenow') ?? element.value) >= Number(element.getAttribute('aria-valuemax') ?? element.max),
    );
    await control.press(isAtEnd ? 'ArrowLeft' : 'ArrowRight');
  } else if (kind === 'select-one') {
    const other = await control.evaluate((element) => [...element.options].find((option) => !option.selected).value);
    await control.selectOption(other);
  } else {
    await control.focus();
    await control.press('Space');
  }
}

async function moves(page, view, control) {
  const before = await picture(page, view);
  await use(control);
  for (let wait = 0; wait < 400; wait += 1) {
    if ((await picture(page, view)) !== before) return true;
    await page.waitForTimeout(50);
  }
  return false;
}

test('every control moves its picture', async (t) => {
  const page = await open();
  const tried = new Map();
  for (const [view, hash] of places) {
    await t.test(`${view} ${hash}`, async () => {
      await go(page, hash, [view]);
      const all = section(page, view).locator(controls);
      const count = await all.count();
      assert.ok(count > 0, 'it has controls');
      for (let index = 0; index < count; index += 1) {
        const control = all.nth(index);
        const name = await control.evaluate((element) => element.dataset.testid ?? element.getAttribute('aria-label') ?? `${element.value ?? element.textContent}`);
        if (!(await control.isVisible()) && (await control.getAttribute('type')) !== 'radio' && (await control.getAttribute('type')) !== 'checkbox') continue;
        const isSlider = await control.evaluate((element) => element.type === 'range' || element.getAttribute('role') === 'slider');
        assert.ok(await moves(page, view, control), `${name} moves nothing`);
        tried.set(`${view} ${name}`, true);
        // A slider that moved by a step leaves most others where they are.
        await settled(page, [view]);
        if (!isSlider || (await all.count()) !== count) await go(page, hash, [view]);
        for (let wait = 0; wait < 100 && (await all.count()) !== count; wait += 1) await page.waitForTimeout(50);
        assert.equal(await all.count(), count, `${name} leaves as many controls as there were`);
      }
    });
  }
  t.diagnostic(`${tried.size} controls tried`);
  await page.context().close();
});

test('the theme is a choice', async () => {
  const page = await open();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await page.locator('[data-testid=theme]').click();
  assert.notEqual(await paper(), before);
  await page.context().close();
});

test('pictures and data can be taken home', async () => {
  for (const view of ['register', 'range', 'formats', 'bill', 'optimum', 'mismatch', 'numbers']) {
    const page = await open(`#view=${view}`);
    await settled(page, [view]);
    for (const [what, expected] of [['csv', /^[^\n]*,[^\n]*\n.*\d/s], ['svg', /<svg[^]*<\/svg>/]]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-testid=${view}-${what}]`).click()]);
      assert.equal(download.suggestedFilename(), `ktln2-${view}.${what}`);
      const chunks = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      assert.match(Buffer.concat(chunks).toString(), expected, `${view}.${what}`);
    }
    await page.context().close();
  }
});

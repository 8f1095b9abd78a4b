// The address has the state: it brings it back, and what is impossible in it is said on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShell, mistake } from './lib/native.mjs';
import { command, go, open, section, settled, shown, views } from './lib/page.mjs';

/** What can be seen of the state: where controls stand, commands, headlines. */
function seen(page) {
  return page.evaluate(() => ({
    controls: [...document.querySelectorAll('main input:not([type=file]), main select')].map((one) => `${one.dataset.testid ?? one.name}=${one.type === 'radio' || one.type === 'checkbox' ? one.checked : one.value}`).filter((text) => !/^c\d+=/.test(text)),
    commands: [...document.querySelectorAll('.tools code')].map((one) => one.textContent),
    values: [...document.querySelectorAll('main [data-value]')].map((one) => `${one.dataset.testid}=${one.dataset.value}`),
  }));
}

test('a permalink restores the state', async () => {
  const page = await open();
  await settled(page);
  const turn = async (testid, value) => {
    const box = page.locator(`[data-testid="${testid}-box"]`);
    await box.fill(String(value));
    await box.press('Enter');
  };
  await turn('bill-n', 123);
  await turn('optimum-w', 1.5);
  await turn('mismatch-alpha', 0.5);
  await page.locator('[data-testid=register-law]').selectOption('laplace');
  await page.locator('[data-testid=numbers-as-bfloat16]').press('Space');
  await page.locator('[data-testid=register-end]').press('ArrowLeft');
  await page.waitForTimeout(500);
  await settled(page);
  const before = await seen(page);
  const address = await page.evaluate(() => location.hash);
  for (const key of ['bill.n=123', 'optimum.w=1.5', 'mismatch.alpha=0.5', 'law=laplace', 'format=p23e8', 'numbers.as=bfloat16']) {
    assert.ok(address.includes(key), `${key} in ${address}`);
  }
  const other = await open(address, { from: 'http' });
  await settled(other);
  assert.deepEqual(await seen(other), before);
  await page.context().close();
  await other.context().close();
});

test('the commands that the buttons copy are the ones shown', async () => {
  const page = await open('', { from: 'http', permissions: ['clipboard-read', 'clipboard-write'] });
  await settled(page);
  for (const view of views) {
    await page.locator(`[data-testid=${view}-copy]`).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await command(page, view));
    await page.locator(`[data-testid=${view}-link]`).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`^http.*/some/place/#.*view=${view}`));
  }
  await page.context().close();
});

test('stories are permalinks that say something', async (t) => {
  const page = await open();
  const stories = await page.locator('.presets a').evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
  assert.ok(stories.length >= 6, `${stories.length} stories`);
  const values = new Map();
  for (const [name, hash] of stories) {
    await t.test(name, async () => {
      await go(page, hash);
      assert.equal(await page.locator('[data-testid=url-troubles]').count(), 0);
      values.set(name, (await shown(page, 'register-value')).value);
    });
  }
  assert.equal(values.get('26.46 of 32').toFixed(2), '26.46');
  assert.ok(Math.abs(values.get('σ does nothing') - values.get('26.46 of 32')) < 0.01);
  await page.context().close();
});

const impossible = [
  ['sigma=-1', 'sigma'],
  ['sigma=0', 'sigma'],
  ['sigma=abc', 'sigma'],
  ['mu=1e999', 'mu'],
  ['T=-3', 'T'],
  ['bill.n=0', 'bill.n'],
  ['bill.n=2.5', 'bill.n'],
  ['bill.kind=magic', 'bill.kind'],
  ['bill.eta=', 'bill.eta'],
  ['mismatch.bounds=3,1,2', 'mismatch.bounds'],
  ['numbers.as=p99', 'numbers.as'],
  ['nonsense=1', 'nonsense'],
  ['view=moon', 'view'],
  ['__proto__=1', '__proto__'],
  ['bill=3', 'bill'],
  ['%=%', '%'],
];

test('what is impossible in an address is said, and the page goes on', async (t) => {
  const page = await open(`#${impossible[0][0]}`);
  for (const [hash, named] of impossible) {
    await t.test(hash, async () => {
      const said = page.locator('[data-testid=url-troubles]');
      await go(page, `#${hash}`, ['register']);
      assert.equal(await said.getAttribute('role'), 'alert');
      assert.ok((await said.innerText()).includes(named), await said.innerText());
      assert.equal(await section(page, 'register').getAttribute('data-state'), 'exact');
    });
  }
  await go(page, '#', ['register']);
  assert.equal(await page.locator('[data-testid=url-troubles]').count(), 0);
  await page.context().close();
});

test('an edit is read, though the page is about to write its own address', async () => {
  const page = await open();
  await settled(page, ['register']);
  // Timers of the page go off when the test says so: between an edit and the event that tells of it, where
  // a clock puts them once in a while.
  const lost = await page.evaluate(async (edits) => {
    const due = new Map();
    const real = { set: window.setTimeout, clear: window.clearTimeout };
    let last = 1e9;
    window.setTimeout = (call, ...rest) => (due.set((last += 1), () => call(...rest.slice(1))), last);
    window.clearTimeout = (id) => due.delete(id) || real.clear.call(window, id);
    const fire = () => [...due].forEach(([id, call]) => due.delete(id) && call());
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const slider = document.querySelector('[data-testid=register-sigma]');
    const found = [];
    for (let turn = 0; turn < edits; turn += 1) {
      const isDragged = turn % 2 === 0;
      if (isDragged) {
        slider.value = String(300 + 5 * turn);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
      }
      const told = new Promise((done) => addEventListener('hashchange', done, { once: true }));
      location.hash = `#moon${turn}=${turn}`;
      fire();
      await told;
      await frame();
      const said = document.querySelector('[data-testid=url-troubles]')?.textContent ?? 'nothing';
      if (!said.includes(`moon${turn}=`)) found.push(`moon${turn}: ${said}`);
    }
    Object.assign(window, { setTimeout: real.set, clearTimeout: real.clear });
    return found;
  }, 50);
  assert.deepEqual(lost, []);
  await page.context().close();
});

test('an edit is read while a handle is dragged', async () => {
  const page = await open('#mu=1&sigma=0.5');
  await settled(page, ['register']);
  const box = await page.locator('[data-testid=register-grip-mu]').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let turn = 0; turn < 20; turn += 1) {
    await page.mouse.move(x + 40 * Math.sin(turn), y);
    const said = await page.evaluate(
      (hash) =>
        new Promise((done) => {
          const look = () => done(document.querySelector('[data-testid=url-troubles]')?.textContent ?? 'nothing');
          addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(look)), { once: true });
          location.hash = hash;
        }),
      `#moon${turn}=1`,
    );
    assert.ok(said.includes(`moon${turn}=`), said);
  }
  await page.mouse.up();
  await page.context().close();
});

/** Settings that only the program knows to be impossible. */
const refused = [
  ['register', 'format=p99e8', 'ktln2 entropy p99e8 normal'],
  ['register', 'format=moon', 'ktln2 entropy moon normal'],
  ['register', 'law=moon', 'ktln2 entropy p24e8 moon'],
  ['register', 'law=uniform&low=2&high=1', 'ktln2 entropy p24e8 uniform:low=2,high=1'],
];

test('what the program refuses is said in its own words', async (t) => {
  const page = await open();
  for (const [view, hash, line] of refused) {
    await t.test(hash, async () => {
      await go(page, `#${hash}`, [view]);
      const expected = await mistake(line);
      const said = section(page, view).locator('[role=alert]').first();
      // What was said before stays until there is something else to say.
      for (let wait = 0; wait < 200 && !expected.includes(await said.innerText()); wait += 1) await page.waitForTimeout(50);
      assert.equal(await said.innerText(), expected);
      assert.equal(await section(page, view).getAttribute('data-state'), 'error');
    });
  }
  await t.test('and answered is what comes in between', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await page.evaluate((hash) => (location.hash = hash), refused[turn % refused.length][1]);
      await go(page, `#sigma=${turn + 1}`, ['register', 'formats', 'bill']);
      const { value } = await shown(page, 'register-value');
      assert.equal(value, (await inShell(`ktln2 entropy p24e8 normal:sigma=${turn + 1}`)).value);
    }
  });
  await page.context().close();
});

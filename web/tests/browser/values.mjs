// Numbers on the page are the native program's, within its bar; the commands below are written by hand, and
// the one that the page shows must say the same.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inShell, number, printed } from './lib/native.mjs';
import { command, go, open, shown } from './lib/page.mjs';

/** What a view shows of an answer: its hook, the value, the bar. */
const entropy = ['register-value', (made) => made.value, (made) => made.error];
const bill = ['bill-bits', (made) => made.bits, (made) => made.error];
// Numbers without a bar of their own have twelve digits or so.
const profit = ['optimum-profit', (made) => made.profit, (made) => 1e-9 * Math.abs(made.profit)];
const sizes = ['optimum-n', (made) => made.n_star, () => 0];
const mismatch = ['mismatch-mmc', (made) => made.mmc_nats, (made) => made.error_nats];
const task = '--w 2 --sigma-x 1 --sigma-xi 1';
const market = '--energy-price 5e16 --inference-price 10 --kbt 4e-21';

export const cases = [
  ...[
    ['', 'p24e8 normal'],
    ['sigma=1e-12', 'p24e8 normal:sigma=1e-12'],
    ['mu=1&sigma=1e-4', 'p24e8 normal:mu=1,sigma=1e-4'],
    ['mu=1&sigma=1e-8', 'p24e8 normal:mu=1,sigma=1e-8'],
    ['mu=-3&sigma=7e35', 'p24e8 normal:mu=-3,sigma=7e35'],
    ['format=bfloat16&sigma=0.02', 'bfloat16 normal:sigma=0.02'],
    ['format=e4m3', 'e4m3 normal'],
    ['format=posit16&sigma=0.1', 'posit16 normal:sigma=0.1'],
    ['format=p11e5&mu=0.3', 'p11e5 normal:mu=0.3'],
    ['format=p53e11&mu=100', 'p53e11 normal:mu=100'],
    ['format=int8&sigma=20', 'int8 normal:sigma=20'],
    ['law=student&dof=3&sigma=0.5', 'p24e8 student:dof=3,scale=0.5'],
    ['law=laplace&mu=2', 'p24e8 laplace:loc=2,scale=1'],
    ['law=logistic&sigma=3', 'p24e8 logistic:scale=3'],
    ['law=uniform&low=-1&high=3', 'p24e8 uniform:low=-1,high=3'],
    ['law=exponential&sigma=2', 'p24e8 exponential:scale=2'],
    ['law=lognormal&mu=1', 'p24e8 lognormal:mu=1,sigma=1'],
    ['law=gamma&shape=3', 'p24e8 gamma:shape=3,scale=1'],
    ['format=mxfp4', 'mxfp4 normal'],
    ['T=4', 'p24e8 normal --temperature 4', ['register-joules', (made) => made.joules, () => 0]],
  ].map(([hash, words, seen = entropy]) => ({ view: 'register', hash, line: `ktln2 entropy ${words}`, seen })),

  ...['bfloat16', 'e4m3', 'posit16', 'mxfp4'].map((format) => ({
    view: 'formats',
    hash: 'sigma=0.1&law=laplace',
    line: `ktln2 compare laplace:scale=0.1 ${format}`,
    seen: [`formats-${format}`, (made) => made.rows[0].entropy, (made) => made.rows[0].error],
    isPart: true,
  })),

  ...[
    ['', `exact p24e8 --n 1000 ${task}`],
    ['bill.n=37&bill.w=0.5', 'exact p24e8 --n 37 --w 0.5 --sigma-x 1 --sigma-xi 1'],
    ['format=bfloat16&bill.sigmaXi=3', 'exact bfloat16 --n 1000 --w 2 --sigma-x 1 --sigma-xi 3'],
    ['bill.features=5', `exact p24e8 --n 1000 ${task} --features 5`],
    ['bill.kind=sgd', `sgd p24e8 --steps 100 --batch 10 --eta 0.01 --w0 1 ${task} --law exact`],
    ['bill.kind=sgd&bill.eta=0.05&bill.batch=2&bill.steps=20', `sgd p24e8 --steps 20 --batch 2 --eta 0.05 --w0 1 ${task} --law exact`],
    ['T=77', `exact p24e8 --n 1000 ${task} --temperature 77`, ['bill-joules', (made) => made.joules, (made) => made.error * 1e-21]],
  ].map(([hash, words, seen = bill]) => ({ view: 'bill', hash, line: `ktln2 cost ${words}`, seen })),

  ...[
    ['', `exact p24e8 ${market} ${task}`],
    ['optimum.energyPrice=1e15', `exact p24e8 --energy-price 1e15 --inference-price 10 --kbt 4e-21 ${task}`],
    ['format=bfloat16&optimum.w=0.5&optimum.sigmaXi=2', `exact bfloat16 ${market} --w 0.5 --sigma-x 1 --sigma-xi 2`],
    ['optimum.features=4', `exact p24e8 ${market} ${task} --features 4`, sizes],
    ['optimum.kind=sgd', `sgd p24e8 ${market} ${task} --batch 10 --eta 0.05 --w0 1`],
    ['optimum.kind=sgd&optimum.w=5&optimum.energyPrice=1.4e17', 'sgd p24e8 --energy-price 1.4e17 --inference-price 10 --kbt 4e-21 --w 5 --sigma-x 1 --sigma-xi 1 --batch 10 --eta 0.05 --w0 1', sizes],
  ].map(([hash, words, seen = profit]) => ({ view: 'optimum', hash, line: `ktln2 scaling ${words}`, seen })),

  ...[
    ['', 'exact p24e8 --n 10 --w 1 --alpha 1 --constant 400 --bounds 0.75,5,0.5,5 --sigma-x 3 --sigma-xi 2'],
    ['mismatch.alpha=0.3&mismatch.sigmaX=1.5', 'exact p24e8 --n 10 --w 1 --alpha 0.3 --constant 400 --bounds 0.75,5,0.5,5 --sigma-x 1.5 --sigma-xi 2'],
    ['mismatch.bounds=1,4,1,4&mismatch.n=5', 'exact p24e8 --n 5 --w 1 --alpha 1 --constant 400 --bounds 1,4,1,4 --sigma-x 3 --sigma-xi 2'],
    ['mismatch.kind=sgd&mismatch.steps=10', 'sgd p24e8 --steps 10 --batch 1 --eta 0.01 --w0 1 --w 1 --alpha 1 --constant 400 --bounds 0.75,5,0.5,5 --sigma-x 3 --sigma-xi 2'],
    ['mismatch.alpha=2', 'exact p24e8 --n 10 --w 1 --alpha 2 --constant 400 --bounds 0.75,5,0.5,5 --sigma-x 3 --sigma-xi 2', ['mismatch-xi-star', (made) => made.sigma_xi_star, (made) => 1e-6 * made.sigma_xi_star]],
  ].map(([hash, words, seen = mismatch]) => ({ view: 'mismatch', hash, line: `ktln2 mismatch ${words}`, seen })),
];

function close(page, native, bar, what) {
  const room = Math.max(bar, 4e-12 * Math.abs(native));
  assert.ok(page === native || Math.abs(page - native) <= room, `${what}: the page has ${page}, the program ${native} ± ${bar}`);
}

test('numbers are those of the native program', async (t) => {
  const page = await open();
  for (const { view, hash, line, seen, isPart } of cases) {
    await t.test(`${view} #${hash}`, async () => {
      await go(page, `#${hash}`, [view]);
      const [testid, value, error] = seen;
      const { value: there } = await shown(page, testid);
      const native = await inShell(line);
      close(there, number(value(native)), number(error(native)), line);
      if (isPart) return;
      // The command that the page gives away has the number that it shows.
      const copied = await inShell(await command(page, view));
      close(there, number(value(copied)), number(error(copied)), 'the copied command');
    });
  }
  await page.context().close();
});

/** The rows of a table without quotes. */
const rowsOf = (text) => text.trim().split('\n').map((line) => line.split(','));

test('curves are those of the native program', async (t) => {
  const page = await open();
  for (const hash of ['mu=1&sigma=0.5', 'format=e4m3&law=student&dof=3']) {
    await t.test(`range #${hash}`, async () => {
      await go(page, `#${hash}`, ['range']);
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-testid=range-csv]').click()]);
      const rows = rowsOf(await readFile(await download.path(), 'utf8')).slice(1);
      // The command that the page gives away makes the same table.
      const native = rowsOf(await printed(await command(page, 'range'))).slice(1);
      assert.equal(native.length, 200);
      native.forEach(([x, value, error], index) => {
        assert.ok(Math.abs(rows[index][0] / x - 1) < 1e-12, `the places: ${rows[index][0]}, ${x}`);
        close(Number(rows[index][1]), Number(value), Number(error), `at ${x}`);
      });
    });
  }
  await page.context().close();
});

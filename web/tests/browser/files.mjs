// Files that are dropped are measured as `ktln2 measure` does, and hostile ones are refused in its words.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, inShell, mistake } from './lib/native.mjs';
import { command, open, section, settled } from './lib/page.mjs';

const references = fileURLToPath(new URL('../../../tests/reference/data/', import.meta.url));

function write(name, content) {
  writeFileSync(join(folder, name), content);
  return name;
}

function random(seed) {
  let word = seed;
  return () => (word = (word * 48271) % 2147483647) / 2147483647;
}

function table(delimiter, rows) {
  const next = random(7);
  const lines = Array.from({ length: rows }, () => [(next() + next() - 1).toFixed(6), (100 * next()).toFixed(1), '"text, too"', next() < 0.1 ? '' : next()].join(delimiter));
  return `${['a', '"b ""quoted"""', 'note', 'd'].join(delimiter)}\r\n${lines.join('\r\n')}\r\n`;
}

/** A .npy file of doubles. */
function npy(numbers) {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${numbers.length},), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([header.length, 0]), Buffer.from(header), Buffer.from(Float64Array.from(numbers).buffer)]);
}

const next = random(3);
copyFileSync(join(references, 'gpt-block-bf16.safetensors'), join(folder, 'gpt-block-bf16.safetensors'));
const good = [
  write('table.csv', table(',', 3000)),
  write('table.tsv', table('\t', 200)),
  write('numbers.npy', npy(Array.from({ length: 5000 }, () => next() - 0.5))),
  'gpt-block-bf16.safetensors',
  write('-odd name;.csv', 'x\n1\n2\n3\n'),
];
/** A model in several files, of which there is one. */
const inParts = 'model.safetensors.index.json';
const held = readFileSync(join(references, 'gpt-block-bf16.safetensors'));
const names = Object.keys(JSON.parse(held.subarray(8, 8 + held.readInt32LE(0)))).filter((name) => name !== '__metadata__');
write(inParts, JSON.stringify({ weight_map: Object.fromEntries(names.map((name) => [name, 'gpt-block-bf16.safetensors'])) }));
const hostile = [
  write('ragged.csv', 'a,b\n1,2\n3\n'),
  write('open.csv', 'a,b\n1,"2\n'),
  write('zero.csv', 'a,b\n1,2\0\n'),
  write('words.csv', 'a,b\nx,y\n'),
  write('empty.csv', ''),
  write('cut.npy', npy([1, 2, 3]).subarray(0, 140)),
  write('lie.safetensors', Buffer.concat([Buffer.from([255, 255, 255, 255, 255, 255, 255, 127]), Buffer.from('{}')])),
  write('unknown.bin', Buffer.from([1, 2, 3, 4, 5, 0, 0, 9])),
];

const choose = (page, ...names) => page.locator('[data-testid=numbers-files]').setInputFiles(names.map((name) => join(folder, name)));

/** Until the page has taken the files, it still shows what it had. */
async function measured(page, names) {
  await page.waitForFunction((line) => document.querySelector('[data-testid=numbers-command]')?.textContent.includes(line), names[0].includes(' ') ? names[0] : names.join(' '));
  await settled(page, ['numbers']);
}

const rowsOf = (page) =>
  page.locator('[data-testid=numbers-row]').evaluateAll((rows) =>
    rows.map((row) => {
      const { value, error } = row.querySelector('[data-testid=numbers-total]').dataset;
      return { name: row.querySelector('button').textContent, total: Number(value), error: Number(error) };
    }),
  );

async function check(page, native) {
  const rows = await rowsOf(page);
  // One tensor by itself is called as in its file.
  const named = ({ name, dtype, count, tensors }) => (tensors > 1 ? name : (native.tensors.find((one) => one.dtype === dtype && one.count === count && one.name.replace(/\b\d+\b/g, '*') === name)?.name ?? name));
  assert.deepEqual(rows.map((row) => row.name), native.groups.map(named));
  rows.forEach((row, index) => {
    const { total, error } = native.groups[index];
    assert.ok(Math.abs(row.total - total) <= 1e-9 * total, `${row.name}: ${row.total}, the program has ${total} ± ${error}`);
    assert.ok(Math.abs(row.error - error) <= 1e-9 * error + 1e-12);
  });
  assert.equal(await page.locator('[data-testid=numbers-floor]').getAttribute('data-value'), String(native.floor_bytes));
  assert.ok(Math.abs((await page.locator('[data-testid=numbers-joules]').getAttribute('data-value')) / native.joules - 1) < 1e-9);
}

test('files are measured as the program measures them', async (t) => {
  const page = await open();
  await settled(page, ['numbers']);
  for (const name of good) {
    await t.test(name, async () => {
      await choose(page, name);
      await measured(page, [name]);
      const line = await command(page, 'numbers');
      await check(page, await inShell(line));
    });
  }
  await t.test('several at once, dropped', async () => {
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x,y\n1,2\n3,5\n4,7\n'], 'one.csv'));
      data.items.add(new File(['z\n1\n0\n0\n'], 'two.csv'));
      return data;
    });
    write('one.csv', 'x,y\n1,2\n3,5\n4,7\n');
    write('two.csv', 'z\n1\n0\n0\n');
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
    await measured(page, ['one.csv', 'two.csv']);
    await check(page, await inShell(await command(page, 'numbers')));
  });
  await t.test('a model in several files', async () => {
    await choose(page, inParts, 'gpt-block-bf16.safetensors');
    await measured(page, [inParts, 'gpt-block-bf16.safetensors']);
    await check(page, await inShell(await command(page, 'numbers')));
  });
  await t.test('the example that is saved', async () => {
    await page.locator('[data-testid=numbers-example]').click();
    await measured(page, ['example.safetensors']);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-testid=numbers-save]').click()]);
    await download.saveAs(join(folder, 'example.safetensors'));
    await check(page, await inShell(await command(page, 'numbers')));
  });
  await page.context().close();
});

test('hostile files are refused in the program’s words', async (t) => {
  const page = await open();
  await settled(page, ['numbers']);
  for (const name of hostile) {
    await t.test(name, async () => {
      await choose(page, name);
      await measured(page, [name]);
      assert.equal(await section(page, 'numbers').getAttribute('data-state'), 'error');
      assert.equal(await page.locator('[data-testid=numbers-alert]').innerText(), await mistake(`ktln2 measure ${name}`));
    });
  }
  await t.test('a good one after them', async () => {
    await choose(page, 'table.csv');
    await measured(page, ['table.csv']);
    await check(page, await inShell('ktln2 measure --bits table.csv'));
  });
  await t.test('an archive', async () => {
    await choose(page, write('a.npz', Buffer.from('PK\x03\x04')));
    await measured(page, ['a.npz']);
    assert.match(await page.locator('[data-testid=numbers-alert]').innerText(), /a\.npz: is an archive, which is not read here/);
  });
  await page.context().close();
});

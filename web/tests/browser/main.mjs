// The page in a real browser, held against the native program: npm run test:browser. One process and one
// browser, so that nothing is measured while another test works.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addresses, close, complaints, open, requests, settled } from './lib/page.mjs';
import './values.mjs';
import './links.mjs';
import './files.mjs';
import './controls.mjs';
import './looks.mjs';
import './speed.mjs';

after(close);

test('the folder works from a server, below any path', async () => {
  const page = await open('', { from: 'http' });
  await settled(page);
  await page.context().close();
});

// After all others: they have opened and used all there is.
test('no page complained', () => assert.deepEqual(complaints, []));

test('no page asked anyone for anything', () => {
  const outside = requests.filter((address) => !/^(blob|data):/.test(address) && !address.startsWith(addresses.file) && !address.startsWith(addresses.http));
  assert.deepEqual(outside, []);
});

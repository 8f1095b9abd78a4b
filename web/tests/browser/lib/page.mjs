// The page in Debian's Chromium: the single file from file://, and the folder from a server on localhost.
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** Where the page was built; the environment may name another place. */
const built = resolve(process.env.KTLN2_PAGE ?? fileURLToPath(new URL('../../../../build/web', import.meta.url)));
export const singleFile = join(built, 'ktln2.html');
export const site = join(built, 'site');
for (const made of [singleFile, join(site, 'index.html')]) {
  if (!existsSync(made)) throw new Error(`there is no ${made}: ./run web --no-serve builds it`);
}

export const browser = await chromium.launch({
  executablePath: process.env.KTLN2_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** Serves the folder below a path of its own, as any place of a server may have it. */
export const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  const file = join(site, normalize(path.replace(/^\/some\/place\//, '/')).replace(/\/$/, '/index.html'));
  if (!path.startsWith('/some/place/') || !file.startsWith(site) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  response.end(readFileSync(file));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));

export const addresses = {
  file: `file://${singleFile}`,
  http: `http://127.0.0.1:${server.address().port}/some/place/`,
};

/** What no page of ours may do, of all pages that were opened. */
export const complaints = [];
/** Addresses that were asked for. */
export const requests = [];

export async function open(hash = '', { from = 'file', ...how } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...how });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()} (${hash})`);
  });
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? error} (${hash})`));
  context.on('request', (request) => requests.push(request.url()));
  await page.goto(addresses[from] + hash);
  await page.waitForSelector('[data-testid=view-register]', { timeout: 30000 });
  return page;
}

export const views = ['register', 'range', 'formats', 'bill', 'optimum', 'mismatch', 'numbers'];
export const section = (page, view) => page.locator(`[data-testid=view-${view}]`);

/** Waits until views show what is exact, or say why they cannot. */
export async function settled(page, which = views, timeout = 60000) {
  for (const view of which) {
    await page.waitForSelector(`[data-testid=view-${view}]:is([data-state=exact], [data-state=error])`, { timeout, state: 'attached' });
  }
}

let visits = 0;

/** The page at another permalink, as if one had typed it, once it has taken it up. */
export async function go(page, hash, which = views) {
  visits += 1;
  // Empty parts at the end mean nothing, but make it another address, which the page must read.
  const next = `#${hash.replace(/^#/, '')}${'&'.repeat(1 + (visits % 3))}`;
  await page.evaluate(
    (typed) =>
      new Promise((done) => {
        addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
        location.hash = typed;
      }),
    next,
  );
  await settled(page, which);
}

/** A number that the page shows, in full. */
export async function shown(page, testid) {
  const found = page.locator(`[data-testid="${testid}"]`).first();
  await found.waitFor({ state: 'attached', timeout: 30000 });
  const [value, error] = await found.evaluate((element) => [element.dataset.value, element.dataset.error]);
  return { value: Number(value), error: error === undefined ? NaN : Number(error) };
}

export const command = (page, view) => page.locator(`[data-testid="${view}-command"]`).innerText();

export async function close() {
  await browser.close();
  server.close();
}

// The native program, against which the page is held. KTLN2_PROGRAM names it.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const program = resolve(process.env.KTLN2_PROGRAM ?? join(root, 'build/release/ktln2'));
if (!existsSync(program)) throw new Error(`there is no ${program}: KTLN2_PROGRAM must name the program`);

/** A folder of one's own, where `ktln2` is a command of the shell. */
export const folder = mkdtempSync(join(tmpdir(), 'ktln2-browser-'));
symlinkSync(program, join(folder, 'ktln2'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const settings = { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, maxBuffer: 1 << 28 };

/** What a command line, as one copies it from the page, answers in JSON. */
export async function inShell(line) {
  const { stdout } = await run('sh', ['-c', `${line} --json`], settings);
  return JSON.parse(stdout);
}

/** What a shell prints for a line. */
export async function printed(line) {
  return (await run('sh', ['-c', line], settings)).stdout;
}

/** The mistake that the program tells of. */
export async function mistake(line) {
  try {
    await run('sh', ['-c', line], settings);
  } catch (reason) {
    return reason.stderr.trim().split('\n').pop().replace(/^ktln2: /, '');
  }
  throw new Error(`${line} made no mistake`);
}

/** Infinite numbers come as text. */
export function number(value) {
  return value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value === null ? NaN : Number(value);
}

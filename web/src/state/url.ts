import { plain } from '../words/number';
import { learningRules } from './learning';
import { numbersRules } from './numbers';
import { rules } from './rules';
import { defaults, type State } from './state';

// The state as the readable part of an address behind '#': format=p24e8&sigma=1e-4&bill.n=1000, only
// what differs from the defaults. A nested key is written with a dot.

type Leaf = number | string;
type Tree = { [key: string]: Leaf | Tree };

function leaves(tree: Tree, prefix = ''): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'object') leaves(value, `${prefix}${key}.`).forEach((leaf, path) => found.set(path, leaf));
    else found.set(prefix + key, value);
  }
  return found;
}

function place(tree: Tree, path: string, value: Leaf): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  let branch = tree;
  for (const key of keys) branch = branch[key] as Tree;
  branch[last] = value;
}

const asTree = (state: State): Tree => state as unknown as Tree;

/** A whole text that keeps what a person can read: only what would break the address is escaped. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|40|2F)/g, (code) => decodeURIComponent(code));
}

export function toHash(state: State): string {
  const usual = leaves(asTree(defaults()));
  const parts: string[] = [];
  leaves(asTree(state)).forEach((value, path) => {
    if (!Object.is(value, usual.get(path)) && value !== usual.get(path)) parts.push(`${path}=${escape(typeof value === 'number' ? plain(value) : value)}`);
  });
  return parts.length > 0 ? `#${parts.join('&')}` : '#';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readNumber(text: string): number | null {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function read(path: string, text: string, usual: Leaf): { value: Leaf; trouble?: string } {
  const value = typeof usual === 'number' ? readNumber(text) : text;
  const rule = rules[path] ?? learningRules[path] ?? numbersRules[path];
  if (value !== null && (!rule || rule.holds(value))) return { value };
  const expected = rule?.expected ?? 'a number';
  const instead = usual === '' ? 'it is left out' : `${usual} is used instead`;
  return { value: usual, trouble: `${path}=${text} in the address is not ${expected}: ${instead}.` };
}

/** Makes one state like another leaf by leaf: what stays the same is not a change to anyone who looks at it. */
export function copyInto(state: State, other: State): void {
  leaves(asTree(other)).forEach((value, path) => place(asTree(state), path, value));
}

export interface Read {
  state: State;
  /** What in the address could not be used, in whole sentences; each once. */
  troubles: string[];
}

export function fromHash(hash: string): Read {
  const state = defaults();
  const usual = leaves(asTree(state));
  const troubles: string[] = [];
  for (const part of hash.replace(/^#/, '').split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    // A bare #bill is a link to a section, as on any other page.
    const path = equals < 0 ? 'view' : decoded(part.slice(0, equals));
    const text = decoded(equals < 0 ? part : part.slice(equals + 1));
    const standard = usual.get(path);
    if (standard === undefined) {
      troubles.push(`${path}=${text} in the address is unknown and left out.`);
      continue;
    }
    const { value, trouble } = read(path, text, standard);
    if (trouble) troubles.push(trouble);
    place(asTree(state), path, value);
  }
  return { state, troubles: [...new Set(troubles)] };
}

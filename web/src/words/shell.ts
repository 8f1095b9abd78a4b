/** The words as one types them behind a prompt: quoted where a shell would read something else. */
export function commandLine(words: string[]): string {
  return ['ktln2', ...words].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

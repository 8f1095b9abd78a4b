// What the single file begins with: it unpacks the engine and the page, which web/packer has packed, and starts them.

interface Unpacker {
  memory: WebAssembly.Memory;
  input(): number;
  output(): number;
  unpack(isWasm: number): number;
}

const stored = (id: string) => Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ''), (letter) => letter.charCodeAt(0));

async function start() {
  const unpacker = await WebAssembly.compile(stored('unpacker'));
  const unpacked = async (id: string, isWasm: boolean) => {
    // A fresh one each time, which has seen nothing yet.
    const { exports } = await WebAssembly.instantiate(unpacker);
    const { memory, input, output, unpack } = exports as unknown as Unpacker;
    new Uint8Array(memory.buffer, input()).set(stored(id));
    const length = unpack(Number(isWasm));
    return new Uint8Array(memory.buffer, output(), length);
  };
  const page = document.createElement('script');
  page.type = 'module';
  page.textContent = new TextDecoder().decode(await unpacked('page', false));
  Object.assign(globalThis, { unpackedEngine: (await unpacked('engine', true)).slice().buffer });
  document.head.append(page);
  // It runs all the same, and a copy that a browser saves begins as this one did.
  page.remove();
}

// Once there is something to see.
setTimeout(() => {
  start().catch((reason: unknown) => {
    const note = document.querySelector('[role=status]');
    if (note) note.textContent = `The engine does not start in this browser: ${String(reason)}`;
  });
}, 30);

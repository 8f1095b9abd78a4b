import { describe, expect, it } from 'vitest';
import { EngineLane, Superseded } from '../../src/engine/lane';
import type { FromWorker, Question } from '../../src/engine/protocol';

/** A worker that answers when the test says so. */
class Fake {
  static started = 0;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  asked: { id: number; words: string[] }[] = [];
  isEnded = false;
  constructor() {
    Fake.started += 1;
  }
  postMessage(question: Question & { id: number }) {
    this.asked.push(question);
  }
  terminate() {
    this.isEnded = true;
  }
  answer() {
    const question = this.asked[this.asked.length - 1];
    if (question) this.onmessage?.({ data: { id: question.id, reply: { answer: question.words[0] } } });
  }
}

function lane(milliseconds: number): { lane: EngineLane; worker: () => Fake } {
  const workers: Fake[] = [];
  const spawn = () => {
    const worker = new Fake();
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { lane: new EngineLane(spawn, { milliseconds }), worker: () => workers[workers.length - 1] as Fake };
}

const question = (word: string): Question => ({ kind: 'ask', words: [word] });

describe('a lane', () => {
  it('answers what runs, though something newer waits', async () => {
    const { lane: fast, worker } = lane(1000);
    const first = fast.request(question('first'), 'a');
    const second = fast.request(question('second'), 'a');
    const third = fast.request(question('third'), 'a');
    await expect(second).rejects.toBeInstanceOf(Superseded);
    worker().answer();
    await expect(first).resolves.toEqual({ answer: 'first' });
    worker().answer();
    await expect(third).resolves.toEqual({ answer: 'third' });
  });
  it('lets every key have its turn, however often the first asks again', () => {
    const { lane: fast, worker } = lane(1000);
    const keys = ['a', 'b', 'c'];
    const forget = () => undefined;
    for (let turn = 0; turn < 4; turn += 1) {
      for (const key of keys) fast.request(question(`${key}${turn}`), key).catch(forget);
      worker().answer();
    }
    const answered = worker().asked.map(({ words }) => words[0]?.charAt(0));
    expect(new Set(answered)).toEqual(new Set(keys));
  });
  it('ends what runs too long in vain', async () => {
    const { lane: slow, worker } = lane(-1);
    const first = slow.request(question('first'), 'a');
    const before = worker();
    const second = slow.request(question('second'), 'a');
    await expect(first).rejects.toBeInstanceOf(Superseded);
    expect(before.isEnded).toBe(true);
    worker().answer();
    await expect(second).resolves.toEqual({ answer: 'second' });
  });
});

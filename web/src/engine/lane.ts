import type { FromWorker, Question, Reply } from './protocol';

/** A newer request with the same key has taken the place of this one. */
export class Superseded extends Error {}

interface Job {
  id: number;
  key: string;
  question: Question;
  began: number;
  resolve: (reply: Reply) => void;
  reject: (reason: unknown) => void;
}

export interface Patience {
  /** A superseded request that has run for so many milliseconds is ended, and its worker with it. */
  milliseconds: number;
}

/**
 * A worker that answers one question after another; of several with the same key that wait, only the last one.
 * It takes the place of the earlier one in the queue, and what runs already is answered if that is soon: so
 * pictures follow a drag whose every move asks again, and all of them. WebAssembly cannot be interrupted, so
 * what runs too long in vain is ended by starting anew.
 */
export class EngineLane {
  private worker: Worker;
  private waiting: Job[] = [];
  private running: Job | null = null;
  private next = 0;

  constructor(
    private readonly spawn: () => Worker,
    private readonly patience: Patience,
    /** Keys that need not wait for their turn. */
    private readonly urgent: string[] = [],
  ) {
    this.worker = this.started();
  }

  request(question: Question, key: string): Promise<Reply> {
    this.endInVain(key);
    return new Promise((resolve, reject) => {
      const job = { id: this.next++, key, question, began: 0, resolve, reject };
      const place = this.waiting.findIndex((each) => each.key === key);
      if (place < 0) this.waiting.push(job);
      else this.waiting.splice(place, 1, job)[0]?.reject(new Superseded());
      this.proceed();
    });
  }

  private started(): Worker {
    const worker = this.spawn();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.finish(data);
    worker.onerror = (event) => this.fail(event.message);
    return worker;
  }

  private endInVain(key: string) {
    if (this.running?.key !== key) return;
    if (performance.now() - this.running.began <= this.patience.milliseconds) return;
    this.running.reject(new Superseded());
    this.restart();
  }

  private restart() {
    this.worker.terminate();
    this.running = null;
    this.worker = this.started();
  }

  private proceed() {
    if (this.running) return;
    const job = this.waiting.find((each) => this.urgent.includes(each.key)) ?? this.waiting[0];
    if (!job) return;
    this.waiting = this.waiting.filter((each) => each !== job);
    job.began = performance.now();
    this.running = job;
    this.worker.postMessage({ id: job.id, ...job.question });
  }

  private finish({ id, reply }: FromWorker) {
    if (this.running?.id !== id) return;
    this.running.resolve(reply);
    this.running = null;
    this.proceed();
  }

  private fail(message: string) {
    this.running?.reject(new Error(message));
    this.restart();
    this.proceed();
  }
}

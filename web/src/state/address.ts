// The address has two writers: the page, and whoever edits it. An edit is seen at once but told of later, since
// hashchange waits for its turn among other events: what the page is about to write may come in between, and
// would wipe out what nobody has read.

export class Address {
  private known = '';

  constructor(
    private readonly place: Pick<Location, 'hash'>,
    private readonly past: Pick<History, 'replaceState'>,
  ) {}

  read(): string {
    this.known = this.place.hash;
    return this.known;
  }

  /** Only over what was read: an edit that is still to be told of stays. */
  write(hash: string): void {
    if (this.place.hash !== this.known) return;
    this.past.replaceState(null, '', hash);
    // As the browser spells it.
    this.known = this.place.hash;
  }
}

const MOST_ITEMS = 1_000;

/**
 * Items that a container has just read, by their names. A key is read 3,000 times a second at most: what every click
 * reads is read once per container instead, and a change counts for clicks when it is forgotten.
 */
export class RecentItems<Item> {
  readonly #lifetimeMs: number;
  /** The oldest first. */
  readonly #items = new Map<string, { readonly item: Item; readonly readAtMs: number }>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  find(name: string, nowMs: number): Item | undefined {
    const known = this.#items.get(name);
    // A request may be older than the one that read.
    return known && Math.abs(nowMs - known.readAtMs) < this.#lifetimeMs ? known.item : undefined;
  }

  /** @param readAtMs the time of the request that read it, which is not after the read */
  keep(name: string, item: Item, readAtMs: number): void {
    this.#items.delete(name);
    this.#items.set(name, { item, readAtMs });
    if (this.#items.size > MOST_ITEMS) this.#items.delete(this.#items.keys().next().value!);
  }
}

const MOST_ITEMS = 1_000;

/**
 * A container's cache of recently read items, by name. DynamoDB can read one key at most 3,000 times per second, so
 * each container caches the items that every click needs. If such an item changes, clicks see the change only after the
 * cached one has expired.
 */
export class RecentItems<Item> {
  readonly #lifetimeMs: number;
  /** The items that were read recently, oldest first. */
  readonly #items = new Map<string, { readonly item: Item; readonly readAtMs: number }>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  find(name: string, nowMs: number): Item | undefined {
    const known = this.#items.get(name);
    // The request may have started before the one that filled the cache, so `readAtMs` may be later than `nowMs`.
    return known && Math.abs(nowMs - known.readAtMs) < this.#lifetimeMs ? known.item : undefined;
  }

  /**
   * Stores an item that a request has read.
   * @param readAtMs time of the request that read the item, which is never after the read itself
   */
  keep(name: string, item: Item, readAtMs: number): void {
    this.#items.delete(name);
    this.#items.set(name, { item, readAtMs });
    if (this.#items.size > MOST_ITEMS) this.#items.delete(this.#items.keys().next().value!);
  }
}

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { backoff, MOST_ATTEMPTS } from '#lib/service/ground/table/backoff.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import type { RecentItems } from '#lib/service/ground/table/recently-read.ts';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

/** DynamoDB's limit for one BatchGetItem. */
const MOST_KEYS = 100;

export type Item = Record<string, unknown>;

interface Waiting {
  readonly key: Key;
  readonly settle: (outcome: Promise<Item | undefined>) => void;
}

interface Projection {
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
}

const nameOf = (key: Readonly<Item> | Key): string => JSON.stringify([key.pk, key.sk]);

/**
 * Strongly consistent reads by full key for one request. Reads that start in the same tick of the event loop share one
 * BatchGetItem, and each item is read only once per request. So it costs nothing to start a read early or to repeat it.
 */
export class Reads {
  readonly #client: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #nowMs: number;
  readonly #until: { readonly abortSignal?: AbortSignal };
  readonly #recent: RecentItems<Item> | undefined;
  readonly #known = new Map<string, Promise<Item | undefined>>();
  #waiting = new Map<string, Waiting>();

  constructor(
    client: DynamoDBDocumentClient,
    tableName: string,
    now: Date,
    until: { readonly abortSignal?: AbortSignal } = {},
    recent?: RecentItems<Item>,
  ) {
    this.#client = client;
    this.#tableName = tableName;
    this.#nowMs = now.getTime();
    this.#until = until;
    this.#recent = recent;
  }

  /** The item; undefined if there is none or it has expired. */
  get(key: Key): Promise<Item | undefined> {
    const name = nameOf(key);
    const known = this.#known.get(name);
    if (known) return known;
    // The batch is sent after all promise jobs of this tick, so that reads started by them are in the same batch.
    if (this.#waiting.size === 0) queueMicrotask(() => process.nextTick(() => this.#sendWaiting()));
    const read = new Promise<Item | undefined>((settle) => this.#waiting.set(name, { key, settle }));
    // A caller that awaits the read still receives its failure. Without this line, the failure of a read that no one
    // awaits would end the process.
    read.catch(() => undefined);
    this.#known.set(name, read);
    return read;
  }

  /**
   * Reads an item like `get`, but may return what another request of this container has read recently. Use it for items
   * that do not expire. It does not cache that an item is missing.
   */
  getRecent(key: Key): Promise<Item | undefined> {
    const name = nameOf(key);
    const known = this.#known.get(name);
    if (known) return known;
    const recent = this.#recent?.find(name, this.#nowMs);
    if (recent) {
      const found = Promise.resolve(recent);
      this.#known.set(name, found);
      return found;
    }
    const read = this.get(key);
    read.then(
      (item) => item && this.#recent?.keep(name, item, this.#nowMs),
      () => undefined,
    );
    return read;
  }

  /**
   * Reads some fields of many items without caching them.
   * @returns the fields in the order of the keys; undefined where there is no item
   */
  async getFields(keys: readonly Key[], fields: readonly string[]): Promise<(Item | undefined)[]> {
    const attributes = ['pk', 'sk', tableDefinition.timeToLiveAttribute, ...fields].map(
      (name, index) => [`#n${index.toString(36)}`, name] as const,
    );
    const projection = {
      ProjectionExpression: attributes.map(([placeholder]) => placeholder).join(','),
      ExpressionAttributeNames: Object.fromEntries(attributes),
    };
    const batches = Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, batch) =>
      this.#readAll(keys.slice(batch * MOST_KEYS, (batch + 1) * MOST_KEYS), projection),
    );
    const found = (await Promise.all(batches)).flatMap((batch) => [...batch]);
    const byName = new Map(found);
    return keys.map((key) => byName.get(nameOf(key)));
  }

  /** Clears the cache. Reads that wait to be sent are still sent. */
  forget(): void {
    for (const name of this.#known.keys()) if (!this.#waiting.has(name)) this.#known.delete(name);
  }

  #sendWaiting(): void {
    const waiting = [...this.#waiting];
    this.#waiting = new Map();
    for (let at = 0; at < waiting.length; at += MOST_KEYS) {
      const batch = waiting.slice(at, at + MOST_KEYS);
      const found = this.#readAll(batch.map(([, { key }]) => key));
      for (const [name, { settle }] of batch) settle(found.then((items) => items.get(name)));
    }
  }

  async #readAll(wanted: readonly Key[], projection: Projection = {}): Promise<Map<string, Item>> {
    const found = new Map<string, Item>();
    let keys = [...wanted];
    for (let attempt = 1; ; attempt++) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({
          RequestItems: { [this.#tableName]: { Keys: keys, ConsistentRead: true, ...projection } },
        }),
        this.#until,
      );
      for (const item of Responses?.[this.#tableName] ?? []) {
        if (!this.#isExpired(item)) found.set(nameOf(item), item);
      }
      keys = (UnprocessedKeys?.[this.#tableName]?.Keys ?? []) as Key[];
      if (keys.length === 0) return found;
      if (attempt === MOST_ATTEMPTS) throw new Error('The table left keys unread after every attempt');
      await backoff(attempt);
    }
  }

  /** DynamoDB removes expired items late, so an item counts as deleted from the second in which it expires. */
  #isExpired(item: Item): boolean {
    const expiresAtSeconds = item[tableDefinition.timeToLiveAttribute];
    return typeof expiresAtSeconds === 'number' && expiresAtSeconds <= this.#nowMs / 1_000;
  }
}

import {
  type DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { retried } from '#lib/service/ground/table/backoff.ts';
import {
  type Condition,
  conditionFields,
  type ItemChange,
  updateFields,
} from '#lib/service/ground/table/expressions.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { type Item, Reads } from '#lib/service/ground/table/reads.ts';
import type { RecentItems } from '#lib/service/ground/table/recently-read.ts';
import {
  isOwnItem,
  isTransient,
  type ConditionalCheckError,
  MOST_WRITES,
  rethrowConditionalCheck,
  returnExisting,
  transactItem,
  whyCancelled,
  type Write,
} from '#lib/service/ground/table/writes.ts';
import { type Entry, type Listed, type ListRequest, listFields, listedIn } from '#lib/service/ground/table/listed.ts';

interface PartitionRequest {
  /** Only items whose sort keys begin with this text. */
  readonly prefix?: string;
  readonly most?: number;
  /** Sort key after which to begin. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  /** Set to allow an eventually consistent read, which costs half as much. */
  readonly forList?: boolean;
}

/** The table for one request. */
export class Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  readonly #until: { readonly abortSignal?: AbortSignal };
  readonly #reads: Reads;
  #asked = new Map<string, Promise<unknown>>();

  /**
   * @param now the request's time, which decides whether items have expired
   * @param deadline aborts calls in progress and rejects further ones
   * @param recent items that other requests of the container have read recently
   */
  constructor(
    client: DynamoDBDocumentClient,
    name: string,
    now: Date,
    deadline?: AbortSignal,
    recent?: RecentItems<Item>,
  ) {
    this.#client = client;
    this.#name = name;
    this.#until = { abortSignal: deadline };
    this.#reads = new Reads(client, name, now, this.#until, recent);
  }

  /** The item, strongly consistent and read once per request; undefined if there is none or it has expired. */
  get<T>(key: Key): Promise<T | undefined> {
    return this.#reads.get(key) as Promise<T | undefined>;
  }

  /**
   * The item as this request, or recently another request of this container, has read it. Use it only for data that may
   * be slightly outdated.
   */
  getRecent<T>(key: Key): Promise<T | undefined> {
    return this.#reads.getRecent(key) as Promise<T | undefined>;
  }

  /**
   * Reads some fields of many items, strongly consistent and without caching.
   * @returns the fields in the order of the keys; undefined where there is no item
   */
  getFields(
    keys: readonly Key[],
    fields: readonly string[],
  ): Promise<(Readonly<Record<string, unknown>> | undefined)[]> {
    return this.#reads.getFields(keys, fields);
  }

  /** Clears the cache of items that were read, before a retry after a failed condition. */
  forget(): void {
    this.#reads.forget();
    this.#asked = new Map();
  }

  /** Runs each query only once per request, so it costs nothing to start a query early. */
  #once<T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> {
    const name = JSON.stringify(question);
    const asked = (this.#asked.get(name) as Promise<T> | undefined) ?? ask();
    this.#asked.set(name, asked);
    return asked;
  }

  /** Items of one partition in the order of their sort keys, strongly consistent unless `forList`. */
  query<T>(pk: string, { prefix = '', most, after, newestFirst, forList }: PartitionRequest = {}): Promise<T[]> {
    // A forged position; DynamoDB refuses one outside of the prefix.
    if (after !== undefined && !after.startsWith(prefix)) return Promise.resolve([]);
    return this.#query({
      KeyConditionExpression: prefix ? 'pk = :pk AND begins_with(sk, :prefix)' : 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk, ...(prefix && { ':prefix': prefix }) },
      ConsistentRead: !forList,
      ScanIndexForward: !newestFirst,
      Limit: most,
      ExclusiveStartKey: after === undefined ? undefined : { pk, sk: after },
    });
  }

  /** Items of one partition between two sort keys, both inclusive, in order, strongly consistent. */
  range<T>(pk: string, from: string, to: string, most?: number): Promise<T[]> {
    return this.#once([pk, from, to, most], () =>
      this.#query<T>({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ConsistentRead: true,
        Limit: most,
      }),
    );
  }

  /** DynamoDB may return fewer items than the limit although there are more, so the query continues. */
  async #query<T>(query: Omit<QueryCommandInput, 'TableName'>): Promise<T[]> {
    const { Limit: most = Infinity } = query;
    const found: T[] = [];
    let { ExclusiveStartKey } = query;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({ TableName: this.#name, ...query, ExclusiveStartKey }),
        this.#until,
      );
      found.push(...(Items as T[]));
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey && found.length < most);
    return found;
  }

  /**
   * Keys listed under an index key, in order: as many as requested, fewer only at the end of the list. Eventually
   * consistent: use it for lists and for amounts owed only.
   */
  list(list: string, request: ListRequest): Promise<Listed> {
    return this.#once([list, request], () => this.#list(list, request));
  }

  /** DynamoDB may return fewer keys than the limit although there are more, so the query continues. */
  async #list(list: string, { most, after, ...range }: ListRequest): Promise<Listed> {
    const entries: Entry[] = [];
    let next = after;
    do {
      const part = await this.#partOfList(list, { ...range, most: most - entries.length, after: next });
      entries.push(...part.entries);
      ({ next } = part);
    } while (next !== undefined && entries.length < most);
    return { entries, next };
  }

  async #partOfList(list: string, part: ListRequest): Promise<Listed> {
    const { after, downTo } = part;
    // Only a forged position gives a range whose end is before its beginning, which DynamoDB would refuse.
    if (after && downTo && after < downTo) return { entries: [] };
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({ TableName: this.#name, ...listFields(list, part) }),
      this.#until,
    );
    return listedIn(Items as (Key & Item)[], LastEvaluatedKey as (Key & Item) | undefined, part);
  }

  /** Stores an item. @throws ConditionFailed */
  async put(key: Key, item: object, condition?: Condition): Promise<void> {
    const Item = { ...item, ...key };
    const guarded = { ...(condition && conditionFields(condition)), ...returnExisting };
    const command = new PutCommand({ TableName: this.#name, Item, ...guarded });
    await retried(() => this.#client.send(command, this.#until), isTransient).catch(
      (error: ConditionalCheckError) => isOwnItem(error, Item) || rethrowConditionalCheck(error),
    );
  }

  /**
   * Changes an item, or creates it if there is none.
   * @param returns the attributes to return: the changed ones by default, all, or none
   * @throws ConditionFailed
   */
  async update<T>(
    key: Key,
    change: ItemChange,
    condition?: Condition,
    returns: 'UPDATED_NEW' | 'ALL_NEW' | 'NONE' = 'UPDATED_NEW',
  ): Promise<T> {
    const command = new UpdateCommand({
      TableName: this.#name,
      Key: key,
      ...updateFields(change, condition),
      ReturnValues: returns,
      ...returnExisting,
    });
    const { Attributes } = await retried(() => this.#client.send(command, this.#until), isTransient).catch(
      rethrowConditionalCheck,
    );
    return Attributes as T;
  }

  /**
   * Deletes an item. The caller passes the delete command, so that only functions that delete items bundle it.
   * @throws ConditionFailed
   */
  async delete(commandFor: (tableName: string) => DeleteCommand): Promise<void> {
    const command = commandFor(this.#name);
    await retried(() => this.#client.send(command, this.#until), isTransient).catch(rethrowConditionalCheck);
  }

  /**
   * A transaction with any number of writes. If they exceed DynamoDB's limit, they are sent in parts. The last writes
   * are sent first, so they must be repeatable: a caller that is interrupted can start again.
   * @param checks conditions that are repeated in every part
   * @throws ConditionFailed, WriteRejected
   */
  async transactLong(writes: readonly Write[], checks: readonly Write[]): Promise<void> {
    const early = writes.slice(MOST_WRITES);
    const atOnce = MOST_WRITES - checks.length;
    for (let at = 0; at < early.length; at += atOnce) {
      await this.transact([...checks, ...early.slice(at, at + atOnce)]);
    }
    await this.transact(writes.slice(0, MOST_WRITES));
  }

  /** Makes all of these writes or none. @throws ConditionFailed, WriteRejected */
  async transact(writes: readonly Write[]): Promise<void> {
    const TransactItems = writes.map((write) => transactItem(write, this.#name));
    // Each attempt is a new command with a new idempotency token. The same token would return the previous result.
    await retried(() => this.#client.send(new TransactWriteCommand({ TransactItems }), this.#until), isTransient).catch(
      (error: unknown) => {
        throw whyCancelled(error, writes);
      },
    );
  }
}

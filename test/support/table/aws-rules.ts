import type { Chance } from '#infra/local/demo/chance.ts';
import {
  type EngineCall,
  engineError,
  type EngineProxy,
  type EngineReply,
  type Forward,
  openEngineProxy,
} from '#test/support/table/engine-proxy.ts';

// DynamoDB may throttle calls, report conflicts, return short pages and update indexes late. The embedded engine never
// does, so this proxy imitates that behaviour as AWS documents it.

/** What the proxy did to a call. */
type Rule =
  | 'transaction throttled by item'
  | 'transaction in conflict'
  | 'transaction cancelled without reasons'
  | 'single write in conflict'
  | 'single write throttled'
  | 'keys left unprocessed'
  | 'short page'
  | 'items not yet in the index'
  | 'stream records delivered again';

export interface AwsRules extends EngineProxy {
  readonly counts: ReadonlyMap<Rule, number>;
}

interface ReadRecords {
  readonly Records?: readonly unknown[];
  readonly NextShardIterator?: string;
}

export interface AwsRulesOptions {
  /** Which fraction of the calls that a rule can affect it does affect. */
  readonly share?: number;
  /**
   * How long an index does not contain a new item, in milliseconds. Lists then lag, so only tests that expect this may
   * set it.
   */
  readonly indexDelayMs?: number;
}

/** How often the same call may fail in a row. Clients with the documented number of retries must always succeed. */
const MOST_FAILURES_OF_A_CALL = 2;
const CALLS_REMEMBERED = 5_000;
const RECORDS_REMEMBERED = 50;
/** The fraction of reads from a shard that begin with records which were delivered before. */
const REDELIVERED = 0.5;

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Body = Record<string, unknown>;
interface TransactItem {
  readonly Put?: { readonly Item: Attributes };
}

/** Starts a proxy that adds the documented behaviour of DynamoDB to the engine. */
export async function openAwsRules(
  engineUrl: string,
  chance: Chance,
  { share = 0.15, indexDelayMs = 0 }: AwsRulesOptions = {},
): Promise<AwsRules> {
  const counts = new Map<Rule, number>();
  const failures = new Map<string, number>();
  /** When each item was first written, by its key. */
  const firstWrites = new Map<string, number>();
  /** The last records that each reader of the stream got, by the iterator with which the reader continues. */
  const streamed = new Map<unknown, readonly unknown[]>();

  function noted<T>(rule: Rule, result: T): T {
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    return result;
  }

  /** Whether this call fails. A retry is the same call, so its text is the same except for the token. */
  function fails({ operation, body }: EngineCall): boolean {
    // If an update of a rate limit failed, the service would reply 429, which tests do not expect.
    if (body.includes('"WINDOW#') || !chance.hits(share)) return false;
    const name = `${operation} ${body.toString().replace(/"ClientRequestToken":"[^"]*"/, '')}`;
    const before = failures.get(name) ?? 0;
    if (before >= MOST_FAILURES_OF_A_CALL) return false;
    if (failures.size > CALLS_REMEMBERED) failures.clear();
    failures.set(name, before + 1);
    return true;
  }

  function cancelled(items: readonly TransactItem[]): EngineReply {
    const held = chance.between(0, items.length - 1);
    const reasons = (code: string) =>
      items.map((_, index) => ({ Code: index === held || chance.hits(0.2) ? code : 'None' }));
    const answers: (() => EngineReply)[] = [
      () => {
        const code = chance.oneOf(['ThrottlingError', 'ProvisionedThroughputExceeded']);
        return noted('transaction throttled by item', cancellation({ CancellationReasons: reasons(code) }));
      },
      () => noted('transaction in conflict', cancellation({ CancellationReasons: reasons('TransactionConflict') })),
      () => noted('transaction cancelled without reasons', cancellation({})),
    ];
    return chance.oneOf(answers)();
  }

  async function write(call: EngineCall, forward: Forward, items: readonly TransactItem[]): Promise<EngineReply> {
    const reply = await forward(call);
    if (indexDelayMs > 0 && reply.status === 200) {
      for (const { Put } of items) {
        const key = Put && keyOf(Put.Item);
        if (key !== undefined && !firstWrites.has(key)) firstWrites.set(key, performance.now());
      }
    }
    return reply;
  }

  async function batchGet(call: EngineCall, forward: Forward): Promise<EngineReply> {
    const { RequestItems } = parsed(call) as { RequestItems: Record<string, { Keys: Attributes[] }> };
    const [[table, asked] = ['', { Keys: [] }]] = Object.entries(RequestItems);
    if (asked.Keys.length < 2 || !fails(call)) return forward(call);
    const taken = chance.between(1, asked.Keys.length - 1);
    const reply = await forward(call, { RequestItems: { [table]: { ...asked, Keys: asked.Keys.slice(0, taken) } } });
    if (reply.status !== 200) return reply;
    const UnprocessedKeys = { [table]: { ...asked, Keys: asked.Keys.slice(taken) } };
    return noted('keys left unprocessed', withBody(reply, { UnprocessedKeys }));
  }

  async function query(call: EngineCall, forward: Forward): Promise<EngineReply> {
    const asked = parsed(call);
    const limit = typeof asked.Limit === 'number' ? asked.Limit : 100;
    const isShort = limit > 1 && fails(call);
    const reply = isShort
      ? noted('short page', await forward(call, { ...asked, Limit: chance.between(1, Math.min(limit - 1, 5)) }))
      : await forward(call);
    if (indexDelayMs === 0 || asked.IndexName === undefined || reply.status !== 200) return reply;
    const { Items = [] } = bodyOf(reply) as { Items?: Attributes[] };
    const visible = Items.filter((item) => {
      const at = firstWrites.get(keyOf(item));
      return at === undefined || performance.now() - at > indexDelayMs;
    });
    if (visible.length === Items.length) return reply;
    return noted('items not yet in the index', withBody(reply, { Items: visible, Count: visible.length }));
  }

  /** Lambda may read a shard again from the start of its last batch, and then splits batches differently. */
  async function records(call: EngineCall, forward: Forward): Promise<EngineReply> {
    const asked = parsed(call);
    const reply = await forward(call, { ...asked, Limit: chance.between(1, 200) });
    if (reply.status !== 200) return reply;
    const { Records: fresh = [], NextShardIterator: next } = bodyOf(reply) as ReadRecords;
    const before = streamed.get(asked.ShardIterator) ?? [];
    streamed.set(next, [...before, ...fresh].slice(-RECORDS_REMEMBERED));
    if (fresh.length === 0) return reply;
    const again = chance.hits(REDELIVERED) ? before.slice(-chance.between(1, RECORDS_REMEMBERED)) : [];
    if (again.length === 0) return reply;
    return noted('stream records delivered again', withBody(reply, { Records: [...again, ...fresh] }));
  }

  async function answer(call: EngineCall, forward: Forward): Promise<EngineReply> {
    switch (call.operation) {
      case 'TransactWriteItems': {
        const { TransactItems } = parsed(call) as { TransactItems: TransactItem[] };
        return fails(call) ? cancelled(TransactItems) : write(call, forward, TransactItems);
      }
      case 'PutItem':
      case 'UpdateItem':
      case 'DeleteItem': {
        if (!fails(call)) return write(call, forward, call.operation === 'PutItem' ? [{ Put: putOf(call) }] : []);
        return chance.hits(0.5)
          ? noted('single write in conflict', engineError(400, 'TransactionConflictException'))
          : noted('single write throttled', engineError(400, 'ProvisionedThroughputExceededException'));
      }
      case 'BatchGetItem':
        return batchGet(call, forward);
      case 'Query':
        return query(call, forward);
      case 'GetRecords':
        return records(call, forward);
      default:
        return forward(call);
    }
  }

  return { ...(await openEngineProxy(engineUrl, answer)), counts };
}

const cancellation = (more: object) => engineError(400, 'TransactionCanceledException', more);

const putOf = (call: EngineCall) => parsed(call) as { Item: Attributes };

const parsed = ({ body }: EngineCall): Body => JSON.parse(body.toString()) as Body;
const bodyOf = ({ body }: EngineReply): Body => JSON.parse(body.toString()) as Body;

/** Changes values in the body of a reply. Headers with the length and checksum of the engine's body are left out. */
function withBody(reply: EngineReply, more: object): EngineReply {
  const { 'content-length': _, 'x-amz-crc32': __, ...headers } = reply.headers;
  return { ...reply, headers, body: JSON.stringify({ ...bodyOf(reply), ...more }) };
}

const keyOf = ({ pk, sk }: Attributes = {}): string => `${String(pk?.S)} / ${String(sk?.S)}`;

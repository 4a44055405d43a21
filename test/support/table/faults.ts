import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** What a table call is for, as far as it can be seen from the call. */
export type TableCall = 'count' | 'ids' | 'read' | 'second read' | 'query' | 'write' | 'second write';

/** Replaces the sending of a table call. It may call `send` or not. */
export type Fault = (send: () => Promise<unknown>, input: Command['input']) => Promise<unknown>;

interface Command {
  readonly input: Partial<TransactWriteCommandInput> & {
    readonly Key?: { readonly pk: string };
    readonly Item?: { readonly sk: string };
    readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
    readonly ConditionExpression?: string;
  };
}

const named = (name: string, more: object = {}) =>
  Object.assign(new Error(`Made by the test: ${name}`), { name, ...more });

/** The table refuses the call, or the call does not reach the table. */
export const refused =
  (name: string): Fault =>
  () =>
    Promise.reject(named(name));

/** The table executes the call, but its reply is lost. */
export const replyLost: Fault = async (send) => {
  await send();
  throw named('TimeoutError');
};

/** The table executes the call, its reply is lost, and the SDK sends the same request again, with the same token. */
export const sentAgain: Fault = async (send, input) => {
  if (input.TransactItems) Object.assign(input, { ClientRequestToken: crypto.randomUUID() });
  await send();
  return send();
};

/** Another write is executed before the call, so the table is not as the function has read it. */
export const overtakenBy =
  (other: () => Promise<unknown>): Fault =>
  async (send) => {
    await other();
    return send();
  };

/** The table cancels the transaction. @param codeOf returns the reason for each part, by its sort key */
export const cancelled =
  (codeOf: (sk: string) => string): Fault =>
  (_, { TransactItems = [] }) => {
    const reasons = TransactItems.map(({ Put, Update }) => ({
      Code: codeOf((Put?.Item ?? Update?.Key)?.sk as string),
    }));
    return Promise.reject(named('TransactionCanceledException', { CancellationReasons: reasons }));
  };

export const cancelledWithoutReason: Fault = () =>
  Promise.reject(named('TransactionCanceledException', { CancellationReasons: [] }));

/** The table cancels the transaction, because other transactions are using all of its items. */
export const inConflict = cancelled(() => 'TransactionConflict');

/** Whether a call updates a rate limit or the time of a key's last use. Such updates may fail without consequences. */
const isCount = ({ constructor, input }: Command): boolean =>
  constructor.name === 'UpdateCommand' &&
  (/^(?:WINDOW|LAST_DELIVERY)#/.test(input.Key?.pk ?? '') ||
    ['#lastUsedOn', '#lastUsedAt'].some((name) => input.ExpressionAttributeNames?.[name] !== undefined));

function kindOf(command: Command): 'count' | 'ids' | 'read' | 'query' | 'write' {
  const { name } = command.constructor;
  if (name === 'QueryCommand') return 'query';
  if (name === 'BatchGetCommand') return 'read';
  if (isCount(command)) return 'count';
  return name === 'UpdateCommand' && command.input.Key?.pk.startsWith('SEQUENCE#') ? 'ids' : 'write';
}

/** Runs a function. Its first call of this kind fails; all others succeed. */
export function failing<T>(call: TableCall, fault: Fault, run: () => Promise<T>): Promise<T> {
  let [reads, writes] = [0, 0];

  function callOf(command: Command): TableCall {
    const kind = kindOf(command);
    if (kind === 'read') return ++reads === 1 ? 'read' : 'second read';
    return kind === 'write' && ++writes > 1 ? 'second write' : kind;
  }

  return failingOnce((command) => callOf(command) === call, fault, run, call);
}

/** Runs a function, all of whose writes fail, also when they are retried. */
export const failingEveryWrite = <T>(fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingFirst(Infinity, (command) => kindOf(command) === 'write', fault, run, 'write');

/** Runs a function. Its first calls of this kind fail. @param times how many of them */
export const failingTimes = <T>(times: number, call: TableCall, fault: Fault, run: () => Promise<T>): Promise<T> =>
  times === 0 ? run() : failing(call, fault, () => failingTimes(times - 1, call, fault, run));

/** Runs a function. Its first update of an item with this partition key fails. */
export const failingUpdateOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ constructor, input }) => constructor.name === 'UpdateCommand' && input.Key?.pk === pk,
    fault,
    run,
    `on ${pk}`,
  );

/** Runs a function. Its first update with a condition of an item with this partition key fails. */
export const failingConditionalUpdateOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ constructor, input }) =>
      constructor.name === 'UpdateCommand' && input.Key?.pk === pk && input.ConditionExpression !== undefined,
    fault,
    run,
    `with a condition on ${pk}`,
  );

/**
 * Runs a function. Its n-th call fails, counting from 1. Updates of rate limits and of the last use are not counted,
 * because a request does not fail with them.
 */
export function failingAt<T>(at: number, fault: Fault, run: () => Promise<T>): Promise<T> {
  let calls = 0;
  return failingOnce((command) => !isCount(command) && ++calls === at, fault, run, `number ${at}`);
}

/** Runs a function. Its first write fails in one way, and the first read after it in another. */
export function failingReadAfterWrite<T>(write: Fault, read: Fault, run: () => Promise<T>): Promise<T> {
  let isWritten = false;
  const noted: Fault = (send, input) => {
    isWritten = true;
    return write(send, input);
  };
  const isRead = ({ constructor }: Command) => isWritten && constructor.name === 'BatchGetCommand';
  return failing('write', noted, () => failingOnce(isRead, read, run, 'read after the write'));
}

/** Runs a function. Its first transaction that writes to this partition key fails. */
export const failingTransactionOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ input }) => input.TransactItems?.some(({ Put, Update }) => (Put?.Item ?? Update?.Key)?.pk === pk) === true,
    fault,
    run,
    `on ${pk}`,
  );

/**
 * Runs a function while an index returns only two entries per query. DynamoDB may return so few, as a reply ends at 1
 * MB.
 */
export async function withShortPages<T>(run: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: { input: QueryInput }) => Promise<unknown>;

  function sendCut(this: DynamoDBDocumentClient, command: { input: QueryInput }): Promise<unknown> {
    const { IndexName, Limit = 2 } = command.input;
    if (IndexName) command.input.Limit = Math.min(2, Limit);
    return send.call(this, command);
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendCut });
  try {
    return await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

/** Runs a function while queries of one list do not return the list's first entry, as if the index were late. */
export async function withoutFirst<T>(list: string, run: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: {
    input: QueryInput;
  }) => Promise<{ Items?: object[] }>;

  async function sendLate(this: DynamoDBDocumentClient, command: { input: QueryInput }): Promise<unknown> {
    const reply = await send.call(this, command);
    const { IndexName, ExpressionAttributeValues: values } = command.input;
    return IndexName && values?.[':list'] === list ? { ...reply, Items: reply.Items?.slice(1) } : reply;
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendLate });
  try {
    return await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

interface QueryInput {
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly IndexName?: string;
  Limit?: number;
}

/**
 * Whether a call concerns the table of this test file. Calls of an earlier file in this process may still be running.
 */
const isOfOwnTable = ({ input }: Command): boolean => JSON.stringify(input).includes(`"${process.env.TABLE_NAME}"`);

const failingOnce = <T>(
  isIt: (command: Command) => boolean,
  fault: Fault,
  run: () => Promise<T>,
  name: string,
): Promise<T> => failingFirst(1, isIt, fault, run, name);

/** Runs a function. Its first calls that match fail. @param most how many of them at most; at least one must fail */
async function failingFirst<T>(
  most: number,
  isIt: (command: Command) => boolean,
  fault: Fault,
  run: () => Promise<T>,
  name: string,
): Promise<T> {
  let failed = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: Command) => Promise<unknown>;

  async function sendOrFail(this: DynamoDBDocumentClient, command: Command): Promise<unknown> {
    if (!isOfOwnTable(command) || !isIt(command) || failed === most) return send.call(this, command);
    failed += 1;
    return fault(() => send.call(this, command), command.input);
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrFail });
  try {
    const result = await run();
    if (failed === 0) throw new Error(`No call to be failed: ${name}`);
    return result;
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** The purpose of a table call, as far as its request shows. */
export type TableCall = 'count' | 'ids' | 'read' | 'second read' | 'query' | 'write' | 'second write';

/** Replaces the sending of a call. */
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

/** The call is refused by the table, or does not reach it. */
export const refused =
  (name: string): Fault =>
  () =>
    Promise.reject(named(name));

/** The call is executed, but its reply is lost. */
export const replyLost: Fault = async (send) => {
  await send();
  throw named('TimeoutError');
};

/** The reply is lost and the SDK sends the same request again; for a transaction with the same token. */
export const sentAgain: Fault = async (send, input) => {
  if (input.TransactItems) Object.assign(input, { ClientRequestToken: crypto.randomUUID() });
  await send();
  return send();
};

/** Another write comes first, so the table has changed since the call's reads. */
export const overtakenBy =
  (other: () => Promise<unknown>): Fault =>
  async (send) => {
    await other();
    return send();
  };

/** The transaction is cancelled. @param codeOf the reason for each part, by sort key */
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

/** Another transaction is using every item. */
export const inConflict = cancelled(() => 'TransactionConflict');

/** Whether a call is a rate limit or last-use update made in parallel, whose failure does not fail the request. */
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

/** Runs a function while its first matching call fails, and all other calls pass. */
export function failing<T>(call: TableCall, fault: Fault, run: () => Promise<T>): Promise<T> {
  let [reads, writes] = [0, 0];

  function callOf(command: Command): TableCall {
    const kind = kindOf(command);
    if (kind === 'read') return ++reads === 1 ? 'read' : 'second read';
    return kind === 'write' && ++writes > 1 ? 'second write' : kind;
  }

  return failingOnce((command) => callOf(command) === call, fault, run, call);
}

/** Runs a function while all its writes fail, on every attempt. */
export const failingEveryWrite = <T>(fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingFirst(Infinity, (command) => kindOf(command) === 'write', fault, run, 'write');

/** Runs a function while a matching call fails repeatedly. */
export const failingTimes = <T>(times: number, call: TableCall, fault: Fault, run: () => Promise<T>): Promise<T> =>
  times === 0 ? run() : failing(call, fault, () => failingTimes(times - 1, call, fault, run));

/** Runs a function while the first update of an item with this partition key fails. */
export const failingUpdateOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ constructor, input }) => constructor.name === 'UpdateCommand' && input.Key?.pk === pk,
    fault,
    run,
    `on ${pk}`,
  );

/** Runs a function while the first update of this item with a condition fails. */
export const failingConditionalUpdateOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ constructor, input }) =>
      constructor.name === 'UpdateCommand' && input.Key?.pk === pk && input.ConditionExpression !== undefined,
    fault,
    run,
    `with a condition on ${pk}`,
  );

/**
 * Runs a function while its n-th call fails, counting from 1. Rate-limit and last-use updates are not counted, because
 * they do not fail the request.
 */
export function failingAt<T>(at: number, fault: Fault, run: () => Promise<T>): Promise<T> {
  let calls = 0;
  return failingOnce((command) => !isCount(command) && ++calls === at, fault, run, `number ${at}`);
}

/** Runs a function while its first write fails in one way, and its first read after that in another. */
export function failingReadAfterWrite<T>(write: Fault, read: Fault, run: () => Promise<T>): Promise<T> {
  let isWritten = false;
  const noted: Fault = (send, input) => {
    isWritten = true;
    return write(send, input);
  };
  const isRead = ({ constructor }: Command) => isWritten && constructor.name === 'BatchGetCommand';
  return failing('write', noted, () => failingOnce(isRead, read, run, 'read after the write'));
}

/** Runs a function while the first transaction that writes to this partition key fails. */
export const failingTransactionOf = <T>(pk: string, fault: Fault, run: () => Promise<T>): Promise<T> =>
  failingOnce(
    ({ input }) => input.TransactItems?.some(({ Put, Update }) => (Put?.Item ?? Update?.Key)?.pk === pk) === true,
    fault,
    run,
    `on ${pk}`,
  );

/** Runs a function while the index returns two entries per query, as DynamoDB may: its replies end at a megabyte. */
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

/** Runs a function while queries of this list in the index lack its first entry, because the index is late. */
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

/** Whether a call is to this file's table. An earlier test file of the process may have left calls running. */
const isOfOwnTable = ({ input }: Command): boolean => JSON.stringify(input).includes(`"${process.env.TABLE_NAME}"`);

const failingOnce = <T>(
  isIt: (command: Command) => boolean,
  fault: Fault,
  run: () => Promise<T>,
  name: string,
): Promise<T> => failingFirst(1, isIt, fault, run, name);

/** @param most maximum number of failures; at least one must occur */
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

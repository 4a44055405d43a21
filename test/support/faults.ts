import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** A call to the table by what it is for, as far as its request shows. */
export type TableCall = 'count' | 'ids' | 'read' | 'second read' | 'query' | 'write' | 'second write';

/** What happens to a call instead of its being sent. */
export type Fault = (send: () => Promise<unknown>, input: Command['input']) => Promise<unknown>;

interface Command {
  readonly input: Partial<TransactWriteCommandInput> & { readonly Key?: { readonly pk: string } };
}

const named = (name: string, more: object = {}) =>
  Object.assign(new Error(`Made by the test: ${name}`), { name, ...more });

/** The table, or the way to it, refuses the call. */
export const refused =
  (name: string): Fault =>
  () =>
    Promise.reject(named(name));

/** The call is carried out, but its reply never comes. */
export const replyLost: Fault = async (send) => {
  await send();
  throw named('TimeoutError');
};

/** The reply is lost and the SDK sends the same request again; of a transaction, with the same token. */
export const sentAgain: Fault = async (send, input) => {
  if (input.TransactItems) Object.assign(input, { ClientRequestToken: crypto.randomUUID() });
  await send();
  return send();
};

/** The transaction is cancelled. @param codeOf the reason for each part, by its sort key */
export const cancelled =
  (codeOf: (sk: string) => string): Fault =>
  (_, { TransactItems = [] }) => {
    const reasons = TransactItems.map(({ Put, Update }) => ({
      Code: codeOf((Put?.Item ?? Update?.Key)?.sk as string),
    }));
    return Promise.reject(named('TransactionCanceledException', { CancellationReasons: reasons }));
  };

/** Another transaction holds every item at this moment. */
export const inConflict = cancelled(() => 'TransactionConflict');

/** Runs something while the first such call of it fails, and every other call passes. */
export async function failing<T>(call: TableCall, fault: Fault, run: () => Promise<T>): Promise<T> {
  let [reads, writes] = [0, 0];
  let isDue = true;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: Command) => Promise<unknown>;

  function callOf(command: Command): TableCall {
    const { name } = command.constructor;
    if (name === 'QueryCommand') return 'query';
    if (name === 'BatchGetCommand') return ++reads === 1 ? 'read' : 'second read';
    const pk = name === 'UpdateCommand' ? command.input.Key?.pk : undefined;
    if (pk?.startsWith('WINDOW#')) return 'count';
    if (pk?.startsWith('SEQUENCE#')) return 'ids';
    return ++writes === 1 ? 'write' : 'second write';
  }

  async function sendOrFail(this: DynamoDBDocumentClient, command: Command): Promise<unknown> {
    if (callOf(command) !== call || !isDue) return send.call(this, command);
    isDue = false;
    return fault(() => send.call(this, command), command.input);
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrFail });
  try {
    const result = await run();
    if (isDue) throw new Error(`No call to be failed: ${call}`);
    return result;
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

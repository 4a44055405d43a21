import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Runs something while the n-th call to the table that any client sends fails, and every other one passes.
 * @returns undefined when there were not that many calls
 */
export async function failingNth<T>(n: number, run: () => Promise<T>, name = 'InternalServerError') {
  let calls = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: object) => Promise<unknown>;

  async function sendOrFail(this: DynamoDBDocumentClient, command: object): Promise<unknown> {
    calls += 1;
    if (calls === n) throw Object.assign(new Error(`Made by the test: ${name}`), { name });
    return send.call(this, command);
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrFail });
  try {
    const result = await run();
    return calls < n ? undefined : result;
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

/**
 * Runs something of which the n-th call to the table, and all that follow, get no answer, as if its process had died.
 * @param isLast whether the n-th is still carried out
 * @returns whether there were so many
 */
export async function dyingAt(n: number, isLast: boolean, run: () => Promise<unknown>): Promise<boolean> {
  let calls = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: object) => Promise<unknown>;
  async function sendOrDie(this: DynamoDBDocumentClient, command: object): Promise<unknown> {
    calls += 1;
    if (calls < n) return send.call(this, command);
    if (calls === n && isLast) await send.call(this, command);
    throw new Error('Made by the test: the process has died');
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrDie });
  try {
    await run().catch(() => undefined);
    return calls >= n;
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

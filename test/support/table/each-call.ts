import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Runs a function while the n-th table call of any client fails and all others pass.
 * @returns undefined if there were fewer calls
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
 * Runs a function whose n-th and later table calls get no reply, as if its process had died.
 * @param isLast whether the n-th call is still executed
 * @returns whether there were n calls
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

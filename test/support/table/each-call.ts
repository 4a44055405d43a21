import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Runs a function. The n-th call of the table fails, whichever client makes it; all others succeed.
 * @returns the function's result; undefined if it made fewer calls
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
 * Runs a function whose table calls fail from the n-th on, as if its process had died.
 * @param isLast whether the n-th call is still executed by the table
 * @returns whether the function made n calls
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

import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { FRESH_SIGN_IN_MS, LOGIN_TOKEN_DAYS, tokenEnd } from '#lib/service/ground/addresses/login-token.ts';
import { keys } from '#lib/service/ground/table/keys.ts';

// Tests move the clock by days, but keep using the token of the first day. That simulates a person who uses the pages
// every day, and signs in again when a page asks for it.

const DAY_MS = 86_400_000;
/** When the holder of each token last signed in, by token. */
const signedInMs = new Map<string, number>();

/**
 * If the sign-in of a login token is too old, changes its time to now; the token stays the same. The item is written by
 * a separate client and not through a proxy, because tests count the calls of the service's client and let them fail.
 */
export async function signInAgain(key: string, at: Date): Promise<void> {
  if (at.getTime() - (signedInMs.get(key) ?? 0) <= FRESH_SIGN_IN_MS) return;
  const client = new DynamoDBClient({
    endpoint: process.env.UNFAILING_ENDPOINT ?? process.env.DYNAMODB_ENDPOINT,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { pk, sk } = keys.credential(sha256(key));
  const item = { TableName: process.env.TABLE_NAME, Key: { pk: { S: pk }, sk: { S: sk } } };
  const { Item: token } = await client.send(new GetItemCommand(item));
  const createdMs = Date.parse(token?.createdAt?.S ?? '');
  const lastMs = Date.parse(token?.signedInAt?.S ?? '');
  const isInForce = at.getTime() >= createdMs && at.getTime() < createdMs + LOGIN_TOKEN_DAYS * DAY_MS;
  const isOld = at.getTime() - lastMs > FRESH_SIGN_IN_MS;
  if (token?.kind?.S !== 'cli' && isInForce && isOld) {
    const end = tokenEnd('dashboard', new Date(createdMs), dayOf(at));
    await client.send(
      new UpdateItemCommand({
        ...item,
        UpdateExpression: 'SET signedInAt = :at, expiresAt = :end, expires_at = :seconds',
        ExpressionAttributeValues: {
          ':at': { S: at.toISOString() },
          ':end': { S: end.toISOString() },
          ':seconds': { N: String(Math.ceil(end.getTime() / 1_000)) },
        },
      }),
    );
  }
  client.destroy();
  signedInMs.set(key, isOld ? at.getTime() : lastMs);
}

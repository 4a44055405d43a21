import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';

const middlewaresOf = (client: Pick<DynamoDBClient, 'middlewareStack'>) =>
  client.middlewareStack.identify().map((entry) => entry.split(' ')[0]);

it('the table client omits the SDK’s steps for logging, user agent and recursion, which cost time', () => {
  const all = middlewaresOf(new DynamoDBClient({ region: 'us-east-1' }));
  const ours = middlewaresOf(documentClient({ dynamodbEndpoint: undefined, region: 'us-east-1' }));
  expect(all.filter((name) => !ours.includes(name))).toEqual([
    'loggerMiddleware',
    'getUserAgentMiddleware',
    'recursionDetectionMiddleware',
  ]);
});

/** The signature of a call to a table at this local address. */
async function signatureOf(open: (endpoint: string) => DynamoDBDocumentClient): Promise<string | undefined> {
  const server = createServer((request, response) => {
    response
      .setHeader('content-type', 'application/x-amz-json-1.0')
      .end(JSON.stringify({ TableNames: [request.headers.authorization] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const { TableNames } = await open(`http://127.0.0.1:${port}`).send(new ListTablesCommand());
    return TableNames?.[0];
  } finally {
    server.close();
  }
}

const tableClient = (dynamodbEndpoint: string) => documentClient({ dynamodbEndpoint, region: 'us-east-1' });

describe('the signature of a call to a local table', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('is a real one if the environment has an AWS key, because an emulator of AWS checks it', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEMULATOR');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    expect(await signatureOf(tableClient)).toMatch(
      new RegExp(
        `^AWS4-HMAC-SHA256 Credential=AKIAEMULATOR/${today}/us-east-1/dynamodb/aws4_request, .*Signature=\\w{64}$`,
      ),
    );
  });

  it.each([
    ['without a key', tableClient, ''],
    ['for the embedded engine', (endpoint: string) => engineClient(endpoint, 'us-east-1'), 'AKIAEMULATOR'],
  ])('is a constant %s, to save time', async (_case, open, key) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', key);
    expect(await signatureOf(open)).toBe(
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    );
  });
});

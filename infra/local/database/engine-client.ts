import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UndiciHttpHandler } from '@smithy/undici-http-handler';
import { documentClient, unsigned } from '#lib/service/ground/effects/storage.ts';

/** The time-out is longer than on AWS, because one process serves all functions, so a call may have to wait. */
const TIMEOUT_MS = 5_000;

/**
 * The DynamoDB client for the embedded engine, used throughout the local run.
 * @param connections the most calls at once; others wait. Unlimited by default
 */
export function engineClient(endpoint: string, region: string, connections?: number): DynamoDBDocumentClient {
  const client = documentClient(
    { dynamodbEndpoint: endpoint, region },
    {
      ...unsigned,
      // The handler needs half the CPU time of node:http, the SDK's default.
      requestHandler: new UndiciHttpHandler({
        dispatcher: {
          connect: { timeout: TIMEOUT_MS },
          headersTimeout: TIMEOUT_MS,
          bodyTimeout: TIMEOUT_MS,
          connections,
        },
      }),
      // Calls are not retried: without a token the engine would execute a transaction again if its reply was lost.
      maxAttempts: 1,
    },
  );
  withoutTransactionTokens(client);
  return client;
}

const TOKEN = ',"ClientRequestToken":"';
const CLOSING_BRACE = '}'.charCodeAt(0);

/**
 * The SDK adds an idempotency token to each transaction. The engine keeps all tokens and searches them on each
 * transaction, which becomes slower and slower under load.
 */
function withoutTransactionTokens({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body: Uint8Array };
      const { body } = request;
      const end = Buffer.from(body.buffer, body.byteOffset, body.byteLength).lastIndexOf(TOKEN);
      if (end > 0) {
        body[end] = CLOSING_BRACE;
        request.body = body.subarray(0, end + 1);
      }
      return next(args);
    },
    { step: 'serialize', priority: 'low' },
  );
}

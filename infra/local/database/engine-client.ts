import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UndiciHttpHandler } from '@smithy/undici-http-handler';
import { documentClient, unsigned } from '#lib/service/ground/effects/storage.ts';

/** The timeout is longer than on AWS: here one engine serves all functions, so a call may wait for others. */
const TIMEOUT_MS = 5_000;

/**
 * Creates the DynamoDB client for the embedded engine, which all parts of the local run use.
 * @param connections the maximum number of concurrent calls, beyond which calls wait. Default: unlimited
 */
export function engineClient(endpoint: string, region: string, connections?: number): DynamoDBDocumentClient {
  const client = documentClient(
    { dynamodbEndpoint: endpoint, region },
    {
      ...unsigned,
      // This request handler needs half as much CPU time as node:http, which is the SDK's default.
      requestHandler: new UndiciHttpHandler({
        dispatcher: {
          connect: { timeout: TIMEOUT_MS },
          headersTimeout: TIMEOUT_MS,
          bodyTimeout: TIMEOUT_MS,
          connections,
        },
      }),
      // Calls are not retried. These calls have no idempotency token, so if the reply to a transaction was lost, the
      // engine would execute the transaction twice.
      maxAttempts: 1,
    },
  );
  withoutTransactionTokens(client);
  withoutRetries(client);
  return client;
}

/**
 * Replaces the SDK's middleware for retries, which has nothing to do with one attempt only, but takes a twentieth of the
 * processor time of a sale. It cannot be removed, because the SDK adds others relative to it.
 */
const withoutRetries = ({ middlewareStack }: DynamoDBDocumentClient): void =>
  middlewareStack.add((next) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  });

const TOKEN = ',"ClientRequestToken":"';
const CLOSING_BRACE = '}'.charCodeAt(0);

/**
 * Removes the idempotency token that the SDK adds to each transaction. The engine stores all tokens and searches them
 * at each transaction, so transactions would become slower and slower under load.
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

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UndiciHttpHandler } from '@smithy/undici-http-handler';
import { documentClient, unsigned } from '#lib/service/ground/effects/storage.ts';

/** Longer than on AWS: one process serves all functions, so that a call may wait for its turn. */
const TIMEOUT_MS = 5_000;

/** The client of the embedded engine, by which the local run does everything. */
export function engineClient(endpoint: string, region: string): DynamoDBDocumentClient {
  const client = documentClient(
    { dynamodbEndpoint: endpoint, region },
    {
      ...unsigned,
      // Half the processor time of node:http, which the SDK uses otherwise.
      requestHandler: new UndiciHttpHandler({
        dispatcher: { connect: { timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
      }),
      // Without a token the engine would take a transaction for a new one if the SDK sent it again after a lost reply.
      maxAttempts: 1,
    },
  );
  withoutTransactionTokens(client);
  return client;
}

const TOKEN = ',"ClientRequestToken":"';
const CLOSING_BRACE = '}'.charCodeAt(0);

/**
 * The SDK ends each transaction's JSON with a token of its own, by which DynamoDB recognises one that is sent again.
 * The engine keeps the tokens and goes through them at each transaction: one takes ever longer while there is load.
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

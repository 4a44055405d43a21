import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StorageConfig } from '#lib/service/ground/config/config.ts';
import type { Item } from '#lib/service/ground/table/reads.ts';
import { RecentItems } from '#lib/service/ground/table/recently-read.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';
import { type NumericIds, numericIds } from '#lib/service/ground/counters/sequence-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { timeouts } from '#lib/service/ground/effects/timeouts.ts';

/** The table of one installation and its sequences of ids. They are used as long as the process lives. */
export interface Storage {
  readonly ids: NumericIds;
  /** The table for one request. @param deadline aborts calls in progress and rejects further ones */
  readonly tableAt: (now: Date, deadline?: AbortSignal) => Table;
}

export function openStorage(config: StorageConfig, client = documentClient(config)): Storage {
  const recent = new RecentItems<Item>(config.rememberedReadsMs);
  return { ids: numericIds(), tableAt: (now, deadline) => new Table(client, config.tableName, now, deadline, recent) };
}

/** Creates the DynamoDB client for the table. @param more additional SDK settings */
export function documentClient(
  config: Pick<StorageConfig, 'dynamodbEndpoint' | 'region'>,
  more?: DynamoDBClientConfig,
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: config.region,
    endpoint: config.dynamodbEndpoint,
    maxAttempts: 3,
    requestHandler: timeouts,
    ...(isLoopback(config.dynamodbEndpoint) && { ...local, ...(!process.env.AWS_ACCESS_KEY_ID && unsigned) }),
    ...more,
  });
  return DynamoDBDocumentClient.from(withoutUnusedMiddleware(client), {
    marshallOptions: { removeUndefinedValues: true },
    // The object is copied, because the client modifies it.
    unmarshallOptions: { ...numberReading },
  });
}

/**
 * The SDK's middleware that we remove because it is useless here: logging without a logger, the user agent, and
 * recursion detection, which DynamoDB ignores. Together they take 40 % of the CPU time of a call.
 */
const unusedMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** The part of an SDK client from which its middleware can be removed. */
interface Layered {
  readonly middlewareStack: { readonly remove: (middleware: string) => boolean };
}

export function withoutUnusedMiddleware<Client extends Layered>(client: Client): Client {
  for (const middleware of unusedMiddleware) client.middlewareStack.remove(middleware);
  return client;
}

const isLoopback = (endpoint: string | undefined): boolean =>
  endpoint !== undefined && ['127.0.0.1', 'localhost'].includes(new URL(endpoint).hostname);

/**
 * In a local run one process serves all functions, so many calls may wait for a socket. Such a call must not time out
 * while it waits. (On AWS a container handles one request at a time.)
 */
const local: DynamoDBClientConfig = {
  requestHandler: {
    ...timeouts,
    connectionTimeout: 5_000,
    requestTimeout: 5_000,
    httpAgent: { maxSockets: 1_000 },
  },
};

/**
 * Settings that skip signing, for the embedded engine of a local run. It requires a signature but does not verify it,
 * and signing would cost a third of the throughput. An AWS emulator, whose clients have a key in the environment, does
 * verify signatures.
 */
export const unsigned: DynamoDBClientConfig = {
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  signer: {
    sign: async (request) => {
      request.headers.authorization =
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';
      request.headers['x-amz-date'] = '20260101T000000Z';
      return request;
    },
  },
};

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Config, configFrom } from '#lib/service/config/config.ts';
import { type Log, requestLog } from '#lib/service/log.ts';
import { type Random, random } from '#lib/service/random.ts';
import { numberReading } from '#lib/service/store/numbers.ts';
import { type NumericIds, numericIds } from '#lib/service/store/sequence.ts';
import { Table } from '#lib/service/store/table.ts';
import { timeouts } from '#lib/service/timeouts.ts';

/** Every effect a use-case may have, for one request. */
export interface Deps {
  /** The service's time for the whole request; nothing else asks a clock. */
  readonly now: Date;
  readonly table: Table;
  readonly ids: NumericIds;
  readonly random: Random;
  readonly config: Config;
  readonly log: Log;
  /** Ends every call to other services, so that the request's failure is answered and logged in time. */
  readonly deadline?: AbortSignal;
  /** What the request turned out to be about, noted by the use-case as soon as it knows. */
  readonly logContext: { programId?: number };
}

/** What an operator's command has of them: the table, without request, log or the configuration of HTTP. */
export type OperatorDeps = Pick<Deps, 'now' | 'table' | 'ids' | 'random'>;

interface Container {
  readonly config: Config;
  readonly client: DynamoDBDocumentClient;
  readonly ids: NumericIds;
}

let container: Container | undefined;

/** Built once per cold start, at the first request, from the environment. */
function containerOf(): Container {
  if (!container) {
    const config = configFrom(process.env);
    container = { config, client: documentClient(config), ids: numericIds() };
  }
  return container;
}

/** What Lambda tells a function about its run; other callers leave it out. */
export interface LambdaContext {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Time that is left for the answer and its log line when the calls to other services are given up. */
const ANSWER_MS = 1_000;

/** Effects for one request. @param now the time at which it counts */
export function requestDeps(now: Date, requestId: string, { getRemainingTimeInMillis }: LambdaContext = {}): Deps {
  const { config, client, ids } = containerOf();
  const deadline =
    getRemainingTimeInMillis && AbortSignal.timeout(Math.max(0, Math.trunc(getRemainingTimeInMillis()) - ANSWER_MS));
  return {
    now,
    table: new Table(client, config.tableName, now, deadline),
    ids,
    random,
    config,
    log: requestLog({ request_id: requestId }),
    deadline,
    logContext: {},
  };
}

export function documentClient(config: Pick<Config, 'dynamodbEndpoint' | 'region'>): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: config.region,
    endpoint: config.dynamodbEndpoint,
    maxAttempts: 3,
    requestHandler: timeouts,
    ...(isLoopback(config.dynamodbEndpoint) && local),
  });
  return DynamoDBDocumentClient.from(withoutUnusedMiddleware(client), {
    marshallOptions: { removeUndefinedValues: true },
    // A copy: the client notes something of its own in it.
    unmarshallOptions: { ...numberReading },
  });
}

/**
 * What the SDK does for every call and nobody here looks at: a line for its logger, even where there is none, a
 * description of itself and the program, and a mark against loops that DynamoDB does not read. It takes two fifths of
 * the processor time of a call.
 */
const unusedMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** A client of the SDK. */
interface Layered {
  readonly middlewareStack: { readonly remove: (middleware: string) => boolean };
}

/** A client with less to do for each call. */
export function withoutUnusedMiddleware<Client extends Layered>(client: Client): Client {
  for (const middleware of unusedMiddleware) client.middlewareStack.remove(middleware);
  return client;
}

const isLoopback = (endpoint: string | undefined): boolean =>
  endpoint !== undefined && ['127.0.0.1', 'localhost'].includes(new URL(endpoint).hostname);

/**
 * On this machine one process is all functions at once, where on AWS each of them has one request: a call must not
 * wait for a socket until its patience is over. The engine wants to see a signature and checks none; making a real
 * one would cost a third of the local throughput.
 */
const local: DynamoDBClientConfig = {
  requestHandler: {
    ...timeouts,
    connectionTimeout: 5_000,
    requestTimeout: 5_000,
    httpAgent: { maxSockets: 1_000 },
  },
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

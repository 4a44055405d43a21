import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { fromBundle, fromSource, streamConsumers } from '#infra/local/gateway/function-routes.ts';
import { tablePositions } from '#infra/local/stream/stream-positions.ts';
import { startPump } from '#infra/local/stream/stream-pump.ts';
import { openStream } from '#infra/local/stream/stream-records.ts';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';

export interface ConsumersOptions {
  readonly client: DynamoDBDocumentClient;
  /** Folder of bundled functions; undefined to run the source. */
  readonly functionsFolder: string | undefined;
  /** Offset of the service's clock from real time. */
  readonly offsetMs: () => number;
}

/**
 * Starts the functions that consume the stream of the environment's table.
 * @returns a function that stops them after the current batches
 * @throws Error with a message for the terminal
 */
export async function startConsumers({
  client,
  functionsFolder,
  offsetMs,
}: ConsumersOptions): Promise<() => Promise<void>> {
  const { tableName, region, dynamodbEndpoint } = configFrom(process.env);
  const arn = await streamArnOf(client, tableName);
  const stream = openStream(arn, { endpoint: dynamodbEndpoint!, region, offsetMs });
  const load = functionsFolder ? fromBundle(functionsFolder) : fromSource;
  const consumers = streamConsumers(load);
  const names = consumers.map(({ name }) => name);
  // Loads the functions in advance, so that the first event is counted within a second.
  await Promise.all(names.map(load));
  const positions = tablePositions(names, () => requestDeps(new Date(), 'stream').table);
  return startPump({ stream, positions, consumers });
}

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
  /** Folder with bundled functions. If undefined, the functions run from source. */
  readonly functionsFolder: string | undefined;
  /** Returns the offset of the service's clock from real time. */
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
  // The functions are loaded before the first event, so that this event is counted within a second, too.
  await Promise.all(names.map(load));
  const positions = tablePositions(names, () => requestDeps(new Date(), 'stream').table);
  return startPump({ stream, positions, consumers });
}

import { exit } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { joinUpdates } from '#infra/local/stream/joined-updates.ts';
import { startConsumers } from '#infra/local/stream/consumers.ts';
import type { ConsumersThread } from '#infra/local/stream/consumers-thread.ts';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { createContainer, setContainer } from '#lib/service/ground/effects/container.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';

// Entry point of the thread that runs the stream's consumers.

/**
 * The consumers make one call at a time. The engine executes one write at a time, so each further call would only delay
 * those of requests. With two, the p99 of a sale at one connection is a quarter longer.
 */
const CONNECTIONS = 1;

const { functionsFolder, isEmbedded, offset } = workerData as ConsumersThread;
const config = configFrom(process.env);
const client = isEmbedded ? engineClient(config.dynamodbEndpoint!, config.region, CONNECTIONS) : documentClient(config);
if (isEmbedded) joinUpdates(client);
setContainer(createContainer(process.env, client));
const stop = await startConsumers({ client, functionsFolder, offsetMs: () => offset[0]! });

async function end(): Promise<void> {
  await stop();
  exit();
}
parentPort!.once('message', () => void end());
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort!.postMessage('started');

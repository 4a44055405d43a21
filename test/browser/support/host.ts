import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { builtSite } from '#infra/build/site.ts';
import type { Run } from '#infra/local/run/run-file.ts';
import { startLocalRun } from '#infra/local/run/run.ts';
import { startConsumers } from '#infra/local/stream/consumers.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { answerFromMemory, MEMORY_ENDPOINT } from '#test/support/memory-table/client.ts';
import { dropTables } from '#test/support/memory-table/tables.ts';

// A process that hosts one local run after another: its modules are loaded once and its pages built once. Its table is
// in memory.

export type Variables = Readonly<Record<string, string>>;

/** Items that no call of the service writes. */
export type Writes = TransactWriteCommandInput['TransactItems'];

/** A command for the host: a run with these variables, changes of its table, or the end of the run. */
export type HostRequest = { readonly start: Variables } | { readonly write: Writes } | 'stop';
export type HostReply = { readonly run?: Run; readonly failure?: string };

const memoryClient = () => documentClient({ dynamodbEndpoint: MEMORY_ENDPOINT, region: 'us-east-1' });
const environment = { ...process.env, PORT: '0', DEMO: 'small', DYNAMODB_ENDPOINT: MEMORY_ENDPOINT };
const home = process.cwd();
const site = builtSite(new Date());
answerFromMemory();
let stop = async (): Promise<void> => undefined;

/** Starts a run. If its demo has a history, waits until the history is complete. */
async function start(variables: Variables): Promise<Run> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment, variables);
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  process.chdir(folder);
  const {
    run,
    history,
    stop: end,
  } = await startLocalRun(
    () => site,
    // The table in memory belongs to this thread.
    ({ functionsFolder, offset }) =>
      startConsumers({ client: memoryClient(), functionsFolder, offsetMs: () => offset[0]! }),
  );
  await history;
  stop = async () => {
    stop = async () => undefined;
    await end();
    dropTables();
    process.chdir(home);
    await rm(folder, { recursive: true });
  };
  return run;
}

async function write(items: Writes): Promise<HostReply> {
  await memoryClient().send(new TransactWriteCommand({ TransactItems: items }));
  return {};
}

async function answer(request: HostRequest): Promise<HostReply> {
  if (typeof request === 'object' && 'write' in request) return write(request.write);
  await stop();
  return request === 'stop' ? {} : { run: await start(request.start) };
}

process.on('message', (request: HostRequest) => {
  void answer(request)
    .catch((error: Error): HostReply => ({ failure: error.stack ?? error.message }))
    .then((reply) => process.send!(reply));
});
// The worker that sends the commands has ended.
process.on('disconnect', () => process.exit());

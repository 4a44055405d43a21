import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { createContainer, setContainer } from '#lib/service/ground/effects/container.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createClock } from '#infra/local/run/clock.ts';
import { clockRoutes } from '#infra/local/gateway/clock-routes.ts';
import { createTableIfMissing } from '#infra/local/database/create-table.ts';
import { lockDataDir } from '#infra/local/database/data-lock.ts';
import { type Demo, ensureDemo } from '#infra/local/demo/demo.ts';
import { findProgress } from '#infra/local/demo/demo-progress.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { documentRoutes } from '#infra/local/gateway/document-routes.ts';
import { exportRoutes } from '#infra/local/gateway/export-routes.ts';
import {
  feedbackFunction,
  fromBundle,
  fromSource,
  functionRoutes,
  queueFunction,
  scheduledFunctions,
  trackingFunctions,
} from '#infra/local/gateway/function-routes.ts';
import { identityProviderRoutes } from '#infra/local/identity/identity-provider.ts';
import { mailRoutes } from '#infra/local/mail/mail-routes.ts';
import { removeRunFile, type Run, writeRunFile } from '#infra/local/run/run-file.ts';
import { listen } from '#infra/local/gateway/server.ts';
import { builtSite, type Site } from '#infra/build/site.ts';
import { dashboardSettings } from '#infra/local/identity/dashboard-settings.ts';
import { clientPackageRoute } from '#infra/local/gateway/client-package.ts';
import { siteRoutes, withPages } from '#infra/local/gateway/site-routes.ts';
import { localSettings, withLocalDefaults } from '#infra/local/run/settings.ts';
import { type ConsumersThread, startConsumersThread } from '#infra/local/stream/consumers-thread.ts';
import { startSchedule } from '#infra/local/stream/schedule.ts';
import { sweepInSteps } from '#infra/local/stream/sweep.ts';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { startWakeQueue } from '#infra/local/stream/wake-queue.ts';
import { writeClockOffsetMs } from '#lib/service/ground/counters/clock-offset-items.ts';

export interface LocalRun {
  readonly run: Run;
  /**
   * Resolves when the creation of the demo's history ends; true if the history is complete. Undefined if the run
   * creates no history.
   */
  readonly history?: Promise<boolean>;
  /** Finishes the requests in progress, then ends the database engine. */
  readonly stop: () => Promise<void>;
}

function reportIncompleteHistory(error: unknown): boolean {
  console.error('The history of the demo is incomplete. With a DATA_DIR the next start goes on with it.', error);
  return false;
}

/**
 * Starts the whole service on this machine. It adds defaults to the given environment.
 * @param site the static files; a caller that starts several runs can build them once
 * @param consumers starts the consumers of the table's stream. Default: in a separate thread
 * @throws Error with a message for the terminal
 */
export async function startLocalRun(
  site: () => Promise<Site> = () => builtSite(new Date()),
  consumers: (options: ConsumersThread) => Promise<() => Promise<void>> = startConsumersThread,
): Promise<LocalRun> {
  const { port, dataDir, dynamodbEndpoint, demo: size, functionsFolder } = localSettings(process.env);
  const server = await listen(port);
  if (dataDir) {
    await mkdir(dataDir, { recursive: true });
    lockDataDir(dataDir);
  }
  // The file with the data of the run is removed only now, when this run has locked its port and its data. Before, the
  // file may belong to another run that is still active.
  await removeRunFile();
  const built = site();
  // This avoids an unhandled rejection while no one waits for the build; the error still reaches the caller.
  built.catch(() => undefined);
  const address = `http://127.0.0.1:${server.port}`;
  const engine = dynamodbEndpoint ? undefined : await startEngine({ dbPath: dataDir && join(dataDir, 'engine.db') });
  const endpoint = dynamodbEndpoint ?? engine!.endpoint;
  const vaultKeyFile = resolve(dataDir ?? '.local', 'vault-key.json');
  const exportsFolder = resolve(dataDir ?? '.local', 'exports');
  const inFiles = { VAULT_KEY_FILE: vaultKeyFile, EXPORTS_FOLDER: exportsFolder };
  Object.assign(process.env, withLocalDefaults(process.env, address, endpoint), inFiles);
  const config = configFrom(process.env);
  const { tableName, region } = config;
  await ensureVaultKey(vaultKeyFile);
  const client = engine ? engineClient(endpoint, region) : documentClient({ dynamodbEndpoint: endpoint, region });
  // This container is used by functions that are loaded from source. Bundled functions create their own.
  setContainer(createContainer(process.env, client));
  await createTableIfMissing(client, tableName);

  const offset = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const clock = createClock((offsetMs) => {
    offset[0] = offsetMs;
    return writeClockOffsetMs(requestDeps(new Date(), 'clock').table, offsetMs);
  });
  await clock.reset();
  const depsAt = (at = new Date(clock.now())) => requestDeps(at, 'demo');
  const demoFile = dataDir && join(dataDir, 'demo.json');

  const load = functionsFolder ? fromBundle(functionsFolder) : fromSource;
  const [demo] = await Promise.all([
    size === 'none' ? null : ensureDemo(depsAt, { size, port: server.port, file: demoFile }),
    // The click function is loaded in parallel with the creation of the demo, so that the first click is answered
    // quickly.
    load('track/click'),
  ]);
  const { routes, fallback } = functionRoutes(load);
  const queue = startWakeQueue(queueFunction(load), clock);
  const localRoutes = [
    ...clockRoutes(clock),
    ...identityProviderRoutes(),
    ...exportRoutes(exportsFolder),
    ...mailRoutes(feedbackFunction(load)),
    ...queue.routes,
    ...documentRoutes(),
    clientPackageRoute(),
  ];
  const pages = Promise.all([built, dashboardSettings(config, demo)]).then(([{ files }, settings]) =>
    siteRoutes(files(settings, process.env.SECURITY_CONTACT || undefined)),
  );
  server.serve({ routes: [...routes, ...localRoutes], pages, fallback: withPages(fallback, pages), now: clock.now });
  await pages;
  // The thread of the consumers starts only when requests can be answered, because it loads much of the service once
  // more.
  const endConsumers = await consumers({ functionsFolder, isEmbedded: engine !== undefined, offset });
  const endSchedules = scheduledFunctions(load).map((each) => startSchedule(each, clock));
  const endSweep = engine && sweepInSteps(client, tableName, clock);
  const run: Run = { base_url: address, dynamodb_endpoint: endpoint, table_name: tableName, demo };
  await writeRunFile(run);
  const endHistory = new AbortController();
  async function makeHistory(of: Demo): Promise<boolean> {
    // The history starts last, so that it delays neither the start of the service nor the loading of the functions that
    // receive events.
    for (const name of trackingFunctions) await load(name);
    const { openHistory } = await import('#infra/local/demo/demo-history.ts');
    return (await openHistory(client, of))?.(endHistory.signal) ?? false;
  }
  const isHistoryMissing = size === 'full' && (await findProgress(depsAt().table)) !== undefined;
  const history = demo && isHistoryMissing ? makeHistory(demo).catch(reportIncompleteHistory) : undefined;

  async function stop(): Promise<void> {
    await server.stop();
    endHistory.abort();
    await history;
    await Promise.all([endConsumers, ...endSchedules, () => queue.stop()].map((end) => end()));
    endSweep?.();
    await engine?.stop();
  }
  return { run, history, stop };
}

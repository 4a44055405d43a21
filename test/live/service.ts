import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import type { Run } from '#infra/local/run/run-file.ts';
import { type Call, openCaller } from '#test/live/caller.ts';
import { hold } from '#test/live/hold.ts';
import type { Scope } from '#test/live/scope.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';

/** `npm start` in a separate process. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  readonly call: Call;
  /** The service's table, read directly from its data folder. */
  readonly table: { readonly client: DynamoDBDocumentClient; readonly tableName: string; readonly endpoint: string };
  /** All its output so far. */
  readonly said: () => string;
  /** Waits for its next output that matches. */
  readonly heard: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Kills it with -9 if it still runs. */
  readonly kill: () => Promise<void>;
}

export interface ServiceOptions {
  /** Variables in addition to those of all services. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** Folder of the version to start; this one by default. */
  readonly root?: string;
  /** Connections of `call`. */
  readonly sockets?: number;
}

/** Length of the last output of a service that is shown after a failure. */
const WORDS_SHOWN = 1_500;

const READY = 'Ctrl-C ends it.';

/** Starts a service without a demo; it ends with the scope. */
export async function startService(scope: Scope, options: ServiceOptions = {}): Promise<Service> {
  const { variables = {}, nodeOptions = [], root = '.', sockets = 64 } = options;
  const child = spawn(process.execPath, [...nodeOptions, resolve(root, 'bin/local.ts')], {
    cwd: scope.folder,
    env: { PATH: process.env.PATH, TMPDIR: scope.folder, PORT: '0', DEMO: '0', ...compiledCode, ...variables },
  });
  const ended = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!hasEnded()) child.kill(signal);
    await ended;
  }
  scope.atEnd(() => end('SIGTERM'));

  let said = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (said += text));
  async function heard(pattern: RegExp): Promise<RegExpExecArray> {
    const from = said.length;
    for (;;) {
      const found = pattern.exec(said.slice(from));
      if (found) return found;
      await Promise.race([once(child.stdout, 'data'), ended]);
      hold(!hasEnded(), `The service ended: ${said}`);
    }
  }
  scope.atFailure(() => `  The service had said: ${said.slice(-WORDS_SHOWN)}`);
  await heard(new RegExp(READY));

  const run = JSON.parse(await readFile(join(scope.folder, '.local', 'run.json'), 'utf8')) as Run;
  const client = documentClient({ dynamodbEndpoint: run.dynamodb_endpoint, region: 'us-east-1' });
  const { call, close } = openCaller(run.base_url, sockets);
  scope.atEnd(close);
  return {
    url: run.base_url,
    pid: child.pid!,
    call,
    table: { client, tableName: run.table_name, endpoint: run.dynamodb_endpoint },
    said: () => said,
    heard,
    kill: () => end('SIGKILL'),
  };
}

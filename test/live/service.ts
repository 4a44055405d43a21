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

/** A service that `npm start` runs in a separate process. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  readonly call: Call;
  /** The service's table, which a script reads directly from the engine. */
  readonly table: { readonly client: DynamoDBDocumentClient; readonly tableName: string; readonly endpoint: string };
  /** Returns everything that the service has printed so far. */
  readonly said: () => string;
  /** Waits until the service prints something that matches. */
  readonly heard: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Kills the service with `kill -9`, if it is still running. */
  readonly kill: () => Promise<void>;
}

export interface ServiceOptions {
  /** Environment variables in addition to those that all services get. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** Folder of the version that is started. Default: this one. */
  readonly root?: string;
  /** Maximum number of connections that `call` uses. */
  readonly sockets?: number;
}

/** Maximum number of characters of a service's output that are shown after a failure. */
const WORDS_SHOWN = 1_500;

const READY = 'Ctrl-C ends it.';

/** Starts a service without a demo. It is ended when the scope ends. */
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

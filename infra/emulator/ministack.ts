import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type GuardedProcess, startGuarded } from '#infra/local/process/guarded-process.ts';

/** The id of the emulated AWS account. When it is used as access key id, the caller is the account's root user. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

export interface MiniStackOptions {
  /** Folder with the emulator's commands, which are Python programs. */
  readonly binFolder: string;
  /** Folder for the emulator's state, its data and its log. */
  readonly folder: string;
  readonly port: number;
  /** Whether the emulator enforces IAM permissions on every call. */
  readonly enforcesIam: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface MiniStack {
  readonly endpoint: string;
  /** Lets the emulator save its state, then ends it and the functions that it runs. */
  readonly stop: () => Promise<void>;
}

const STARTUP_MS = 120_000;
const POLL_MS = 100;
const STOP_MS = 20_000;

/** Starts the emulator on 127.0.0.1. It ends at the latest when this process ends. */
export async function startMiniStack(options: MiniStackOptions): Promise<MiniStack> {
  const { binFolder, folder, port, signal } = options;
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const log = join(folder, 'ministack.log');
  const started = startGuarded([
    // `env -i` starts the emulator with only the listed variables, because the emulator passes its environment to
    // functions.
    'env',
    '-i',
    ...Object.entries(variablesOf(options)).map(([name, value]) => `${name}=${value}`),
    'sh',
    '-c',
    'log=$1; shift; exec "$@" >>"$log" 2>&1',
    'sh',
    log,
    join(binFolder, 'python'),
    fileURLToPath(new URL('start.py', import.meta.url)),
  ]);
  started.output.resume();
  const endpoint = `http://localhost:${port}`;
  try {
    await untilReady(`http://127.0.0.1:${port}/_ministack/health`, signal);
  } catch (error) {
    const said = (await readFile(log, 'utf8').catch(() => '')).slice(-2_000);
    await stopped(started);
    signal?.throwIfAborted();
    throw new Error(`MiniStack did not start:\n${said}`, { cause: error });
  }
  return { endpoint, stop: () => stopped(started) };
}

/** Stops the emulator, which then saves its state. Kills it if it does not end. */
async function stopped({ stop, kill }: GuardedProcess): Promise<void> {
  const limit = setTimeout(kill, STOP_MS);
  await stop();
  clearTimeout(limit);
}

const variablesOf = ({ binFolder, folder, port, enforcesIam }: MiniStackOptions): Record<string, string> => ({
  // Lambda functions run with the same Node as this process.
  PATH: [dirname(execPath), binFolder, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  HOME: folder,
  TMPDIR: join(folder, 'tmp'),
  GATEWAY_PORT: String(port),
  BIND_HOST: '127.0.0.1',
  AUTH: String(enforcesIam),
  PERSIST_STATE: '1',
  STATE_DIR: join(folder, 'state'),
  S3_PERSIST: '1',
  S3_DATA_DIR: join(folder, 's3'),
  // The emulator keeps a Node process for each function that was called recently. There are more than a hundred
  // functions, so unused processes end after a minute.
  LAMBDA_WARM_TTL_SECONDS: '60',
  // Turns off services that are not used here but would listen on ports.
  IOT_MTLS_ENABLED: 'false',
  SFTP_ENABLED: '0',
  // The tests' webhook receiver runs on this machine. A real deployment rejects this setting.
  WEBHOOK_ALLOW_LOOPBACK: '1',
});

async function untilReady(url: string, signal: AbortSignal | undefined): Promise<void> {
  const until = Date.now() + STARTUP_MS;
  while (Date.now() < until) {
    signal?.throwIfAborted();
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(POLL_MS, undefined, { signal });
  }
  throw new Error(`No answer within ${STARTUP_MS / 1_000} seconds`);
}

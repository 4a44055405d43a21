import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Demo } from '#infra/local/demo/demo.ts';
import type { HostReply, HostRequest, Variables, Writes } from '#test/browser/support/host.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the shape of its reply
type Body = any;

/** The whole service with its demo, in another process. */
export interface Service {
  readonly url: string;
  readonly demo: Demo;
  readonly tableName: string;
  /** Changes items without the service, all of them or none. */
  readonly write: (items: Writes) => Promise<void>;
  /**
   * Calls the dashboard's API as the demo's owner, and expects success. The path is relative to `/api/dashboard/v1`.
   */
  readonly dashboard: (method: string, path: string, body?: unknown) => Promise<Body>;
  /** Calls the tracking API as the brand's server, with the program key, and expects success. */
  readonly track: (path: string, body: unknown) => Promise<Body>;
  readonly stop: () => Promise<void>;
}

/** All files of a test worker share the host, one after the other. */
let host: ChildProcess | undefined;
const hostEnd = new AbortController();

async function askHost(request: HostRequest): Promise<HostReply> {
  host ??= fork(join(import.meta.dirname, 'host.ts'), {
    execArgv: [],
    env: { PATH: process.env.PATH, POWERTOOLS_LOG_LEVEL: 'SILENT' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  }).once('exit', () => hostEnd.abort());
  host.send(request);
  const [reply] = (await once(host, 'message', hostEnd)) as [HostReply];
  if (reply.failure) throw new Error(reply.failure);
  return reply;
}

/** @param variables of the local run; a demo with a history is complete at the start */
export async function startService(variables: Variables = {}): Promise<Service> {
  const run = (await askHost({ start: variables })).run!;
  const demo = run.demo!;

  async function ask(method: string, path: string, token?: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${run.base_url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  const { id_token } = await ask('POST', '/local/oidc/token', undefined, { email: demo.owner_email });
  let session = await ask('POST', '/api/dashboard/v1/session', undefined, { id_token });

  /** Calls the dashboard's API. Tests move the clock, so the owner signs in again when required. */
  async function dashboard(method: string, path: string, body?: unknown): Promise<Body> {
    const askAsOwner = () => ask(method, `/api/dashboard/v1${path}`, session.data.token, body);
    return askAsOwner().catch(async (error: Error) => {
      if (!/Sign in again for this|Invalid or expired token/.test(error.message)) throw error;
      const { id_token: another } = await ask('POST', '/local/oidc/token', undefined, { email: demo.owner_email });
      session = await ask('POST', '/api/dashboard/v1/session', undefined, { id_token: another });
      return askAsOwner();
    });
  }

  return {
    url: run.base_url,
    demo,
    tableName: run.table_name,
    write: async (items) => void (await askHost({ write: items })),
    dashboard,
    track: (path, body) => ask('POST', `/api/v1/track/${path}`, demo.program_api_key, body),
    stop: async () => void (await askHost('stop')),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Demo } from '#infra/local/demo.ts';
import { startLocal } from '#test/infra/local/local-process.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the shape of its reply
type Body = any;

/** The whole service with its demo, in a process of its own. */
export interface Service {
  readonly url: string;
  readonly demo: Demo;
  /** Where its items are. */
  readonly table: { readonly endpoint: string; readonly name: string };
  /** Asks the dashboard's API as the demo's owner, and expects to succeed. The path follows `/api/dashboard/v1`. */
  readonly dashboard: (method: string, path: string, body?: unknown) => Promise<Body>;
  /** Calls the tracking API as the brand's server does, with the program key, and expects to succeed. */
  readonly track: (path: string, body: unknown) => Promise<Body>;
  readonly stop: () => Promise<void>;
}

/** @param variables of the local run; a demo with a history is there with all of it */
export async function startService(variables: Readonly<Record<string, string>> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  const { run, end, said } = await startLocal(folder, variables);
  if (variables.DEMO === '1') await vi.waitFor(() => expect(said()).toContain('history is complete'), 120_000);
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

  /** Tests move the clock: the owner signs in again where that is asked for. */
  async function dashboard(method: string, path: string, body?: unknown): Promise<Body> {
    const askAsOwner = () => ask(method, `/api/dashboard/v1${path}`, session.data.token, body);
    return askAsOwner().catch(async (error: Error) => {
      if (!/Sign in again for this|Invalid or expired token/.test(error.message)) throw error;
      const { id_token: another } = await ask('POST', '/local/oidc/token', undefined, { email: demo.owner_email });
      session = await ask('POST', '/api/dashboard/v1/session', undefined, { id_token: another });
      return askAsOwner();
    });
  }

  async function stop(): Promise<void> {
    await end();
    await rm(folder, { recursive: true });
  }
  return {
    url: run.base_url,
    demo,
    table: { endpoint: run.dynamodb_endpoint, name: run.table_name },
    dashboard,
    track: (path, body) => ask('POST', `/api/v1/track/${path}`, demo.program_api_key, body),
    stop,
  };
}

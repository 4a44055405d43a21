import { expect, vi } from 'vitest';
import type { Run } from '#infra/local/run/run-file.ts';
import { operatorDeps } from '#lib/service/ground/effects/deps.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { startLocal } from '#test/infra/local/run/local-process.ts';

export type Local = Awaited<ReturnType<typeof startLocal>>;
// oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the shape of its reply
export type Body = any;

export const COMPLETE = "The demo's history is complete.";
export const BEING_MADE = 'history of 60 days is being filled in';
/** The timeout for work that takes seconds on an idle machine. */
export const patiently = { timeout: 150_000, interval: 100 };

export const untilComplete = ({ said }: Local) => vi.waitFor(() => expect(said()).toContain(COMPLETE), patiently);

export const operatorOf = ({ dynamodb_endpoint, table_name }: Run) =>
  operatorDeps({ DYNAMODB_ENDPOINT: dynamodb_endpoint, TABLE_NAME: table_name }, Date.now);

export const tableOf = ({ dynamodb_endpoint, table_name }: Run) => ({
  client: documentClient({ dynamodbEndpoint: dynamodb_endpoint, region: 'us-east-1' }),
  tableName: table_name,
});

/** The progress of the history, as stored in the table. */
export async function progressOf(run: Run) {
  const { table } = await operatorOf(run);
  return (await table.get<{ endsAt: string; played: number; isComplete: boolean }>(keys.demoHistory))!;
}

/** Waits until more than this many steps are played. */
export const untilPlayed = ({ run }: Local, steps: number) =>
  vi.waitFor(async () => expect((await progressOf(run)).played).toBeGreaterThan(steps), patiently);

/** Returns a function that reads replies below a URL, as a person who has just signed in. */
async function readsAs(base_url: string, email: string, below: string) {
  async function ask(path: string, token?: string, body?: object): Promise<Body> {
    const response = await fetch(`${base_url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    return response.json();
  }
  const { id_token } = await ask('/local/oidc/token', undefined, { email });
  const session = await ask('/api/dashboard/v1/session', undefined, { id_token });
  return (path: string) => ask(`${below}${path}`, session.data.token);
}

/** The portal API for a partner. */
export const openPortal = async ({ base_url }: Run, email: string) => ({
  get: await readsAs(base_url, email, '/api/partner/v1'),
});

/** The dashboard API for the demo's owner. Paths are relative to the program's. */
export async function openDashboard({ base_url, demo }: Run) {
  const get = await readsAs(base_url, demo!.owner_email, `/api/dashboard/v1/programs/${demo!.program_id}`);

  async function list(path: string): Promise<Body[]> {
    const rows: Body[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      rows.push(...page.data);
      cursor = page.meta.next_cursor;
    }
    return rows;
  }
  return { get, list };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The sums of rows by currency. */
export const sums = (rows: readonly Body[], amount: (row: Body) => number): Record<string, number> =>
  withoutZeros(
    Object.entries(Object.groupBy(rows, ({ currency }) => currency)).map(([currency, ofCurrency]) => [
      currency,
      sum(ofCurrency!.map(amount)),
    ]),
  );

/** On some days a currency has no commission in any state: a reply has 0 for it, and a list has no row. */
const withoutZeros = (amounts: readonly [currency: string, amount: number][]): Record<string, number> =>
  Object.fromEntries(amounts.filter(([, amount]) => amount !== 0));

/** One of a reply's amounts for each currency. */
export const amountsOf = (amounts: Body, name: string): Record<string, number> =>
  withoutZeros(Object.entries<Body>(amounts).map(([currency, values]) => [currency, values[name]]));

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import type { Run } from '#infra/local/run/run-file.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-counters-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function clickOn({ base_url, demo }: Run): Promise<void> {
  const body = JSON.stringify({ affiliate_url: `https://acme.test/?aff=${demo!.link}` });
  const { status } = await fetch(`${base_url}/api/v1/track/click`, { method: 'POST', body });
  expect(status).toBe(200);
}

const countsOfLink = ({ dynamodb_endpoint, table_name, demo }: Run) =>
  countsOf(
    new Table(documentClient({ dynamodbEndpoint: dynamodb_endpoint, region: 'us-east-1' }), table_name, new Date()),
    { of: 'link', shortLink: demo!.link },
  );

/** Looks for this many clicks for at most a second. @returns the last number seen */
async function clicksWithinASecond(run: Run, awaited: number): Promise<number> {
  const until = performance.now() + 1_000;
  for (;;) {
    const { clicks } = await countsOfLink(run);
    if (clicks === awaited || performance.now() > until) return clicks;
  }
}

it('shows a click within a second', async () => {
  const { run, end } = await startLocal(folder);
  for (const clicks of [1, 2, 3]) {
    await clickOn(run);
    expect(await clicksWithinASecond(run, clicks)).toBe(clicks);
  }
  expect(await end()).toBe(0);
});

it('counts what the run before left, and nothing twice', async () => {
  const DATA_DIR = join(folder, 'data');
  const first = await startLocal(folder, { DATA_DIR });
  await clickOn(first.run);
  // Whether or not it is counted when the run ends.
  await first.end();
  const second = await startLocal(folder, { DATA_DIR });
  expect(await clicksWithinASecond(second.run, 1)).toBe(1);
  await clickOn(second.run);
  expect(await clicksWithinASecond(second.run, 2)).toBe(2);
  await second.end();
});

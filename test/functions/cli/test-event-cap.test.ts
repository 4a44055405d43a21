import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { countRequest } from '#lib/service/ground/counters/rate-windows-items.ts';
import { hourWindowAt } from '#lib/service/ground/values/rate-limits.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the limit of 10 verification runs per program and clock hour, from CLI and dashboard together.

const world = openedWorld();

const tooMany = (seconds: number) => ({
  error: {
    status: 429,
    code: 'rate_limited',
    message: 'Too many synthetic chains (max 10/program/hour).',
    retry_after_seconds: seconds,
  },
});

const at = (minutes: number, ms = 0) => new Date(NOW.getTime() + minutes * 60_000 + ms);

async function runs(times: number, run: () => Promise<TestReply>): Promise<void> {
  for (let n = 0; n < times; n++) expect((await run()).status).toBe(200);
}

const chainRows = async ({ program }: Brand) =>
  (await allItems(world)).filter(({ programId, isTest }) => programId === program.id && isTest).length;

describe('the limit of ten verification runs (a test click, lead and sale) per hour and program', () => {
  it('refuses the eleventh run of a clock hour with 429 rate_limited, and that run records nothing', async () => {
    const brand = await world.brand();
    await runs(10, () => runChain(brand.key));
    const rows = await chainRows(brand);
    expect(await runChain(brand.key)).toEqual({
      status: 429,
      headers: { ...countedHeaders(60, 11), 'Retry-After': '3600' },
      body: tooMany(3600),
    });
    expect(await chainRows(brand)).toBe(rows);
  });

  it.each([
    [at(59, 59_000), 1],
    [at(59, 59_999), 1],
    [at(30, 500), 1800],
  ])('refuses a run at %s, and Retry-After says %i seconds', async (moment, seconds) => {
    const { key } = await world.brand();
    await runs(10, () => runChain(key));
    const { headers, body } = await runChain(key, { at: moment });
    expect(headers['Retry-After']).toBe(String(seconds));
    expect(body).toEqual(tooMany(seconds));
  });

  it('counts runs from the CLI and the dashboard together, and refuses both with the same reply', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    const verify = () => dashboard(token).post(`/programs/${brand.program.id}/verification`);
    await runs(5, () => runChain(brand.key));
    await runs(5, verify);
    expect(await runChain(brand.key)).toMatchObject({ status: 429, body: tooMany(3600) });
    expect(await verify()).toEqual({
      status: 429,
      headers: { ...countedHeaders(300, 6), 'Retry-After': '3600' },
      body: tooMany(3600),
    });
  });

  it('lets exactly ten of fourteen concurrent runs pass', async () => {
    const { key } = await world.brand();
    const replies = await Promise.all(Array.from({ length: 14 }, () => runChain(key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it('is checked after the test partner is created: even a refused first run creates the partner', async () => {
    const { key, program } = await world.brand();
    const { table } = world.deps();
    for (let n = 0; n < 10; n++) await countRequest(table, 'chain', String(program.id), hourWindowAt(NOW));
    expect((await runChain(key)).status).toBe(429);
    expect(await world.items(`LINK#afftest${program.id}`)).toMatchObject([{ status: 'active' }]);
  });
});

describe('the limit of ten verification runs (a test click, lead and sale) per hour and program does not stop', () => {
  it('runs in the next clock hour, however many runs were refused before', async () => {
    const { key } = await world.brand();
    await runs(10, () => runChain(key, { at: at(59, 59_999) }));
    for (let n = 0; n < 3; n++) expect((await runChain(key, { at: at(59, 59_999) })).status).toBe(429);
    await runs(10, () => runChain(key, { at: at(60) }));
    expect((await runChain(key, { at: at(60) })).status).toBe(429);
  });

  it('the runs of another program, or single test events', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    await runs(10, () => runChain(brand.key));
    expect((await runChain(other.key)).status).toBe(200);
    expect((await sendTestEvent(brand.key, { event_type: 'sale' })).status).toBe(200);
  });

  it('the tenth run, even if the per-minute limit refused it at first', async () => {
    const { key } = await world.brand();
    await runs(9, () => runChain(key));
    for (let n = 0; n < 52; n++) await sendTestEvent(key, {});
    const refused = await runChain(key);
    expect(refused.body.error.message).toBe('Too many requests. Try again in 60 seconds.');
    expect((await runChain(key, { at: at(1) })).status).toBe(200);
    expect((await runChain(key, { at: at(1) })).body).toEqual(tooMany(3540));
  });
});

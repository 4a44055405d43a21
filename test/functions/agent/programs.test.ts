import { describe, expect, it } from 'vitest';
import type { Program } from '#lib/service/programs/program/program.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, runChain } from '#test/support/programs/integration.ts';
import { changeProgram } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { markedBrand } from '#test/support/programs/rotation.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';
import { newProgramRow } from '#test/support/programs/program-row.ts';

const world = openedWorld();

/** The program created by world.brand(), in wire format. */
const programOf = ({ program, key }: Brand) => ({
  id: program.id,
  slug: program.slug,
  name: program.name,
  domain: program.domain,
  ...newProgramRow,
  allowed_origins: [`https://${program.domain}`, `https://*.${program.domain}`],
  api_token_masked: `aff_****${key.slice(-4)}`,
  key_rotated_at: NOW.toISOString(),
  key_last_used_at: '2026-11-20T15:00:00.000Z',
});

const another = ({ program }: Brand, name: string, seconds: number): Promise<Program> =>
  createProgram(world.deps(new Date(NOW.getTime() + seconds * 1_000)), program.workspaceId, {
    name,
    domain: 'more.test',
    commissionType: 'fixed',
    commissionRate: 50,
  });

describe('GET programs', () => {
  it('lists the programs of the agent key’s workspace, oldest first, and shows each program key only masked', async () => {
    const brand = await world.brand();
    await world.brand();
    const second = await another(brand, 'Second', 1);
    const reply = await agent(await agentKeyOf(world, brand)).list(0);
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: { data: [programOf(brand), expect.objectContaining({ id: second.id })], meta: { next_cursor: null } },
    });
    expect(JSON.stringify(reply.body)).not.toContain(brand.key);
  });

  it('lists the workspace’s programs page by page', async () => {
    const brand = await world.brand();
    for (let n = 1; n <= 4; n++) await another(brand, `More ${n}`, n);
    const user = agent(await agentKeyOf(world, brand));
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '2', ...(cursor && { cursor }) };
      const { body } = await user.list(0, undefined, { query });
      names.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.meta.next_cursor ?? undefined;
    } while (cursor);
    expect(names).toEqual([brand.program.name, 'More 1', 'More 2', 'More 3', 'More 4']);
  });

  it.each([
    [{ limit: '0' }, 'limit must be an integer from 1 to 100'],
    [{ limit: '101' }, 'limit must be an integer from 1 to 100'],
    [{ limit: 'x' }, 'limit must be an integer from 1 to 100'],
    [{ cursor: 'x' }, 'Invalid cursor'],
  ])('answers 400 for %j', async (query, message) => {
    const key = await agentKeyOf(world, await world.brand());
    expect(await agent(key).list(0, undefined, { query })).toMatchObject({
      status: 400,
      body: platformError(400, message),
    });
  });
});

describe('GET program', () => {
  it('shows the program with the same fields as the dashboard', async () => {
    const brand = await world.brand();
    const reply = await agent(await agentKeyOf(world, brand)).read(brand.program.id);
    expect(reply).toEqual({ status: 200, headers: countedHeaders(60), body: { data: programOf(brand) } });
  });

  it('does not show whether the program key is marked for rotation', async () => {
    const brand = await markedBrand(world);
    const reply = await agent(await agentKeyOf(world, brand)).read(brand.program.id);
    expect(reply).toEqual({ status: 200, headers: countedHeaders(60), body: { data: programOf(brand) } });
  });
});

describe('GET readiness with an agent key', () => {
  it('returns the same readiness as the route for the program key, inside a data field', async () => {
    const brand = await world.brand();
    await runChain(brand.key);
    const user = agent(await agentKeyOf(world, brand));
    const { body } = await askReadiness(brand.key);
    expect(body.gates.live.status).toBe('pass');
    for (const force_recheck of ['true', '1', 'no']) {
      expect(await user.readiness(brand.program.id, undefined, { query: { force_recheck } })).toMatchObject({
        status: 200,
        body: { data: body },
      });
    }
  });
});

describe('PATCH program', () => {
  const at = new Date(NOW.getTime() + 60_000);
  const updated_at = at.toISOString();

  it.each([
    { name: 'New name' },
    { domain: 'new.test' },
    { commission_type: 'recurring_fixed' },
    { commission_rate: 12.5 },
    { duration_months: 12 },
    { attribution_window_days: 30 },
    { lead_auth: 'browser_allowed' },
    { allowed_origins: ['https://app.new.test'] },
    { currency: 'EUR' },
    { commission_base: 'excluding_tax' },
    { code_precedence: 'code_first' },
    { name: 'All', domain: 'all.test', commission_type: 'fixed', commission_rate: 500, lead_auth: 'browser_allowed' },
  ])('changes only the fields that the request contains: %j', async (change) => {
    const brand = await world.brand();
    const user = agent(await agentKeyOf(world, brand));
    const data = { ...programOf(brand), ...change, updated_at };
    expect(await user.update(brand.program.id, change, { at })).toEqual({
      status: 200,
      headers: countedHeaders(60, 1, at),
      body: { data },
    });
    expect((await user.read(brand.program.id)).body).toEqual({ data });
  });

  it.each([
    { status: 'paused' },
    { hold_period_days: 0 },
    { auto_approve: false },
    {
      rules: { self_referral: 'off' },
      banned_referrers: ['a.test'],
      paid_ad_allowed_campaigns: ['x'],
      velocity_clicks: 10,
      shared_click_payers: 1,
      ignored_addresses: ['203.0.113.7'],
    },
    { status: 'nonsense', hold_period_days: -1, auto_approve: 'yes' },
    { api_key: 'aff_x', api_token_masked: 'x', keyHash: 'x', workspaceId: 1, id: 1, slug: 'x' },
    { name: null },
    {},
  ])('ignores the fields that an agent cannot change: %j', async (body) => {
    const brand = await world.brand();
    const user = agent(await agentKeyOf(world, brand));
    expect(await user.update(brand.program.id, body, { at })).toMatchObject({
      status: 200,
      body: { data: programOf(brand) },
    });
    expect((await user.read(brand.program.id)).body).toEqual({ data: programOf(brand) });
  });

  it.each([
    ['{', 'Invalid JSON body'],
    [[], 'Invalid JSON body'],
    ['x'.repeat(300_000), 'Request body too large'],
    [{ name: ' ' }, 'name must be a string of 1 to 120 characters'],
    [{ domain: 'no host' }, 'domain must be a host name such as example.com'],
    [
      { commission_type: 'barter' },
      'Invalid commission_type: barter. Valid: percent, fixed, recurring_percent, recurring_fixed',
    ],
    [{ commission_rate: 0 }, 'commission_rate must be a positive number'],
    [{ commission_rate: 101 }, 'commission_rate must be at most 100 for percent types'],
    [{ duration_months: 121 }, 'duration_months must be an integer from 0 to 120'],
    [{ attribution_window_days: 0 }, 'attribution_window_days must be an integer from 1 to 365'],
    [{ lead_auth: 'anyone' }, 'Invalid lead_auth: anyone. Valid: server_required, browser_allowed'],
    [
      { allowed_origins: ['https://a.test/path'] },
      'allowed_origins must be a list of up to 20 origins such as https://app.example.com',
    ],
    [{ currency: 'gbp ' }, 'Invalid currency: GBP. Valid: USD, EUR, VND'],
    [{ commission_base: 'net' }, 'Invalid commission_base: net. Valid: gross, excluding_tax'],
    [{ currency: 7, lead_auth: 'anyone' }, 'Invalid lead_auth: anyone. Valid: server_required, browser_allowed'],
    [{ lead_auth: 'anyone', name: '' }, 'name must be a string of 1 to 120 characters'],
  ])('answers 400 for %j and changes nothing', async (body, message) => {
    const brand = await world.brand();
    const user = agent(await agentKeyOf(world, brand));
    expect(await user.update(brand.program.id, body)).toMatchObject({
      status: 400,
      body: platformError(400, message),
    });
    expect((await user.read(brand.program.id)).body).toEqual({ data: programOf(brand) });
  });

  it('refuses a change of commission_type to percent if the stored rate is above 100', async () => {
    const brand = await world.brand({ commissionType: 'fixed', commissionRate: 500 });
    const user = agent(await agentKeyOf(world, brand));
    expect((await user.update(brand.program.id, { commission_type: 'percent' })).body).toEqual(
      platformError(400, 'commission_rate must be at most 100 for percent types'),
    );
  });

  it('changes a paused program, which stays paused', async () => {
    const brand = await world.brand();
    await changeProgram(world, brand, { status: 'paused' });
    const { body } = await agent(await agentKeyOf(world, brand)).update(brand.program.id, { name: 'Paused' });
    expect(body.data).toMatchObject({ name: 'Paused', status: 'paused' });
  });
});

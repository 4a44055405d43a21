import { describe, expect, it } from 'vitest';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, askStatus, importedKey, runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { anotherPartner, changeProgram, clicked } from '#test/support/payments/lives/journeys.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const statusOf = ({ program }: Brand) => ({
  program_id: program.id,
  name: program.name,
  domain: program.domain,
  stripe_connected: false,
  stripe_charges_enabled: false,
  recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
  active_partners: 1,
  pending_commissions: 0,
  lead_auth: 'server_required',
  integration_verified: false,
});

describe('GET cli/status is answered 200', () => {
  it('and shows the health of the program, without a request id', async () => {
    const brand = await world.brand();
    const { 'X-Request-ID': _, ...headers } = countedHeaders(60);
    expect(await askStatus(brand.key)).toEqual({ status: 200, headers, body: { data: statusOf(brand) } });
  });

  it('for the program of the program key, and ignores a program id in the query or the body', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const query = { program_id: String(other.program.id) };
    const { body } = await askStatus(brand.key, { query, body: { program_id: other.program.id } });
    expect(body).toEqual({ data: statusOf(brand) });
  });

  it('for a request with any body', async () => {
    const brand = await world.brand();
    expect(await askStatus(brand.key, { body: '{' })).toMatchObject({ status: 200, body: { data: statusOf(brand) } });
  });

  it('for a program key in the older format, which contains no program id', async () => {
    const brand = await world.brand();
    expect((await askStatus(await importedKey(world, brand))).body).toEqual({ data: statusOf(brand) });
  });

  it('and shows the current settings of the program', async () => {
    const brand = await world.brand();
    await changeProgram(world, brand, { name: 'New', domain: 'new.test', leadAuth: 'browser_allowed' });
    expect((await askStatus(brand.key)).body.data).toEqual({
      ...statusOf(brand),
      name: 'New',
      domain: 'new.test',
      lead_auth: 'browser_allowed',
    });
  });

  it('and counts active partners, but neither removed partners nor the test partner', async () => {
    const brand = await world.brand();
    const ben = await anotherPartner(world, brand, 'Ben');
    await runChain(brand.key);
    expect((await askStatus(brand.key)).body.data.active_partners).toBe(2);
    await changePartner(world.deps(), { id: brand.program.id }, ben.partner.id, { status: 'removed' });
    expect((await askStatus(brand.key)).body.data.active_partners).toBe(1);
  });

  it('and reports integration_verified as true once the readiness check finds the integration verified', async () => {
    const brand = await world.brand();
    await sendTestEvent(brand.key, { event_type: 'sale' });
    expect((await askStatus(brand.key)).body.data.integration_verified).toBe(false);
    await runChain(brand.key);
    expect((await askStatus(brand.key)).body.data).toEqual({ ...statusOf(brand), integration_verified: true });
    await clicked(brand);
    expect((await askReadiness(brand.key)).body.state).toBe('live_verified');
    expect((await askStatus(brand.key)).body.data.integration_verified).toBe(true);
  });
});

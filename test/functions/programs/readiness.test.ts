import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, importedKey, runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { changeProgram, clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { unproven } from '#test/support/programs/readiness.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the readiness check; readiness-gates.test.ts tests its gates.

const world = openedWorld();

it('a new program has the readiness state configuring until its first event', async () => {
  const brand = await world.brand();
  expect(await askReadiness(brand.key)).toEqual({ status: 200, headers: countedHeaders(30), body: unproven(brand) });
});

describe('last_event_at in the readiness check', () => {
  const [earlier, later] = [new Date(NOW.getTime() - 3_600_000), new Date(NOW.getTime() - 60_000)];

  it('is the time at which the newest real event was recorded, not the time of its payment', async () => {
    const brand = await world.brand();
    const clickId = await clicked(brand, { at: new Date('2026-10-31T00:00:00Z') });
    await clicked(brand, { at: later });
    await sold(
      brand,
      { transaction_id: 'paid_before', click_id: clickId, occurred_at: '2026-11-01T00:00:00Z' },
      { at: later },
    );
    const { body } = await askReadiness(brand.key);
    expect(body.last_event_at).toEqual({ click: later.toISOString(), lead: null, sale: later.toISOString() });
  });

  it('is the time of a repeated click if that is the newest event', async () => {
    const brand = await world.brand();
    const existing_click_id = await clicked(brand, { at: earlier });
    await send(click, { at: later, body: { affiliate_url: brand.affiliateUrl, existing_click_id } });
    expect((await askReadiness(brand.key)).body.last_event_at.click).toBe(later.toISOString());
  });

  it('ignores test events, including those that verification runs record', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'real', { at: earlier });
    for (const event_type of ['click', 'lead', 'sale']) await sendTestEvent(brand.key, { event_type }, { at: later });
    await runChain(brand.key, { at: later });
    const { body } = await askReadiness(brand.key);
    expect(body.last_event_at).toEqual({ click: earlier.toISOString(), lead: earlier.toISOString(), sale: null });
  });
});

describe('key_rotated_at in the readiness check', () => {
  it('is null until an owner generates a new program key', async () => {
    const brand = await world.brand();
    await changeProgram(world, brand, { keyRotatedAt: undefined });
    expect((await askReadiness(brand.key)).body.key_rotated_at).toBeNull();
  });

  it('is the time when an owner last generated a program key', async () => {
    const brand = await world.brand();
    const at = new Date(NOW.getTime() + 1_234);
    const { key } = await generateProgramKey(world.deps(at), brand.program.id);
    expect((await askReadiness(key, { at })).body.key_rotated_at).toBe(at.toISOString());
  });
});

describe('a request for the readiness', () => {
  it.each(['true', '1', 'false', '', 'yes'])(
    'with force_recheck=%s has the same result as without it',
    async (force_recheck) => {
      const brand = await world.brand();
      expect((await askReadiness(brand.key)).body.blocker).toBe('tracking');
      await clicked(brand);
      const plain = await askReadiness(brand.key);
      expect(plain.body.blocker).toBe('live');
      expect((await askReadiness(brand.key, { query: { force_recheck } })).body).toEqual(plain.body);
    },
  );

  it('answers for the program of the program key, and ignores a program id in the query', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const query = { program_id: String(other.program.id) };
    expect((await askReadiness(brand.key, { query })).body).toEqual(unproven(brand));
  });

  it('with a program key in the older format, which contains no program id, gets the same reply', async () => {
    const brand = await world.brand();
    expect((await askReadiness(await importedKey(world, brand))).body).toEqual(unproven(brand));
  });

  it.each(['{', '[]', 'x'.repeat(300_000)])('can have a body, which is ignored', async (body) => {
    const brand = await world.brand();
    expect(await askReadiness(brand.key, { body })).toMatchObject({ status: 200, body: unproven(brand) });
  });

  it('writes nothing to the program’s items', async () => {
    const brand = await world.brand();
    const before = await world.items(`PROGRAM#${brand.program.id}`);
    await askReadiness(brand.key);
    expect(await world.items(`PROGRAM#${brand.program.id}`)).toEqual(before);
  });
});

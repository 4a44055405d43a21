import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { signupBurstOf } from '#lib/service/programs/terms/velocity.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();

const on = { leadAuth: 'browser_allowed', rules: { velocity: 'flag' } } as const;
const TODAY = NOW.toISOString();

interface Sent {
  readonly ip?: string;
  readonly at?: Date;
}

/** A customer who signs up in the browser. */
async function signUp(brand: Brand, { ip = '198.51.100.1', at = NOW }: Sent = {}): Promise<string> {
  const clickId = await clicked(brand, { at });
  expect(await send(lead, { body: { click_id: clickId }, ip, at })).toMatchObject({ status: 200 });
  return clickId;
}
const signUps = async (brand: Brand, count: number, ip?: string): Promise<void> => {
  for (let n = 0; n < count; n++) await signUp(brand, { ip });
};

const counts = async (): Promise<Record<string, unknown>[]> =>
  (await allItems(world)).filter(({ pk }) => String(pk).startsWith('SIGNUPS#'));
const agreements = ({ program }: Brand) => world.deps().table.get<object>(keys.agreements(program.id));
/** The stored burst of sign-ups from this click's network. */
async function noted({ program, partner }: Brand, clickId: string) {
  const customer = (await world.items(`CUSTOMER#${clickId}`))[0] as Pick<Customer, 'traits'> | undefined;
  const network = customer?.traits?.network ?? 'none';
  return { ...keys.agreements(program.id), signupBursts: new Set([signupBurstOf(partner.id, TODAY, network)]) };
}

describe('sign-ups in a program with the rule velocity, which looks for many sign-ups from one IP address,', () => {
  it('are counted per partner and IP address for the day, in items that expire after it', async () => {
    const brand = await world.brand(on);
    await signUps(brand, 2, '198.51.100.1');
    await signUps(brand, 1, '198.51.100.2');
    const { pk } = keys.signups(brand.program.id, brand.partner.id, '2026-11-20');
    const items = (await counts()).filter((item) => String(item.pk).startsWith(pk));
    expect(items.map(({ count }) => Number(count)).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    const expires = Date.parse('2026-11-21T02:00:00.000Z') / 1_000;
    expect(items.map((item) => item.expires_at)).toEqual([expires, expires, expires]);
    expect(JSON.stringify(items)).not.toContain('198.51');
    expect(items.find((item) => item.pk === pk)).toEqual({ pk, sk: pk, count: 3, expires_at: expires });
  });

  it('are flagged from a partner’s tenth sign-up of the day on if more than half come from one IP address', async () => {
    const brand = await world.brand(on);
    await signUps(brand, 4, '198.51.100.2');
    await signUps(brand, 5);
    expect(await agreements(brand)).toBeUndefined();
    const clickId = await signUp(brand);
    expect(await agreements(brand)).toEqual(await noted(brand, clickId));
  });

  it('are not flagged if only half come from one IP address', async () => {
    const brand = await world.brand(on);
    await signUps(brand, 5, '198.51.100.2');
    await signUps(brand, 5);
    expect(await agreements(brand)).toBeUndefined();
  });

  it('are counted by the first 64 bits of an IPv6 address', async () => {
    const brand = await world.brand(on);
    let clickId = '';
    for (let n = 0; n < 10; n++) clickId = await signUp(brand, { ip: `2001:db8::${n}` });
    expect(await agreements(brand)).toEqual(await noted(brand, clickId));
  });

  it('count once per customer, when the lead is settled', async () => {
    const brand = await world.brand({ rules: { velocity: 'hold' } });
    const before = (await counts()).length;
    const clickId = await clicked(brand, { headers: { origin: `https://${brand.program.domain}` } });
    await Promise.all(Array.from({ length: 3 }, () => send(lead, { body: { click_id: clickId } })));
    expect((await counts()).slice(before)).toEqual([]);
    const settle = () => send(lead, { key: brand.key, body: { click_id: clickId, customer_key: 'one' } });
    await Promise.all([settle(), settle(), settle()]);
    const items = (await counts()).slice(before);
    expect(items).toHaveLength(2);
    const { pk } = keys.signups(brand.program.id, brand.partner.id, '2026-11-20');
    expect(await world.items(pk)).toMatchObject([{ count: 1 }]);
  });

  it('count once if the same lead is sent several times in parallel', async () => {
    const brand = await world.brand(on);
    const clickId = await clicked(brand);
    await Promise.all(Array.from({ length: 5 }, () => send(lead, { body: { click_id: clickId } })));
    const { pk } = keys.signups(brand.program.id, brand.partner.id, '2026-11-20');
    expect(await world.items(pk)).toMatchObject([{ count: 1 }]);
  });

  it('start again at zero on the next day', async () => {
    const brand = await world.brand(on);
    await signUps(brand, 9);
    await signUp(brand, { at: new Date('2026-11-21T00:00:00.000Z') });
    expect(await agreements(brand)).toBeUndefined();
  });
});

describe('sign-ups are not counted', () => {
  it.each([
    ['if the rule is off, as it is by default', { leadAuth: 'browser_allowed' } as const, {}],
    ['for clicks that a server reports, because they share its IP address', on, { withKey: true }],
  ])('%s', async (_, settings, { withKey = false }: { withKey?: boolean }) => {
    const brand = await world.brand(settings);
    const before = await counts();
    const clickId = await clicked(brand);
    const key = withKey ? brand.key : undefined;
    expect((await send(lead, { key, body: { click_id: clickId, customer_key: `k-${clickId}` } })).status).toBe(200);
    expect(await counts()).toEqual(before);
  });
});

it('a lead is recorded even if counting the sign-up fails', async () => {
  const brand = await world.brand(on);
  const clickId = await clicked(brand);
  const { pk } = keys.signups(brand.program.id, brand.partner.id, '2026-11-20');
  const reply = await failingUpdateOf(pk, refused('ProvisionedThroughputExceededException'), () =>
    send(lead, { body: { click_id: clickId } }),
  );
  expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'Lead tracked successfully' } });
  expect(await world.items(keys.lead(clickId).pk)).toMatchObject([{ sk: 'CUSTOMER', status: 'lead' }, { sk: 'LEAD' }]);
});

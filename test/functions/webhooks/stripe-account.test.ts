import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { paid, saleOf, visitorOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  connected,
  deliver,
  deliverToPlatform,
  directEndpoint,
  openProcessor,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the processor's events about a connected account.

openProcessor();

const world = openedWorld();

const seconds = (count: number) => new Date(NOW.getTime() + count * 1000);

const itemOf = async (accountId: string) => (await world.items(keys.processorAccount(accountId).pk))[0];
const linkOf = async (programId: number) =>
  (await world.items(keys.program(programId).pk)).find(({ sk }) => sk === 'PROGRAM')?.processor;

let accounts = 0;

async function connectedBrands(count = 1) {
  accounts += 1;
  const accountId = `acct_${accounts}`;
  const brands = await Promise.all(Array.from({ length: count }, () => world.brand()));
  await connected(world, accountId, brands);
  return { accountId, brands };
}

const updated = (accountId: string, object: Record<string, unknown>, at = seconds(60)) =>
  stripeEvent('account.updated', { id: accountId, ...object }, { account: accountId, at });

describe('Stripe’s account.updated event', () => {
  it('changes only the stored flags of the account: charges, payouts and details', async () => {
    const { accountId } = await connectedBrands();
    const before = await itemOf(accountId);
    await deliverToPlatform(
      updated(accountId, { charges_enabled: false, payouts_enabled: true, details_submitted: true }),
    );
    expect(await itemOf(accountId)).toEqual({
      ...before,
      chargesEnabled: false,
      payoutsEnabled: true,
      detailsSubmitted: true,
      flagsAt: seconds(60).toISOString(),
    });
  });

  it('changes nothing if an event with a later time was applied before', async () => {
    const { accountId } = await connectedBrands();
    await deliverToPlatform(
      updated(accountId, { charges_enabled: true, payouts_enabled: true }, seconds(60)),
      updated(accountId, { charges_enabled: false }, seconds(59)),
      updated(accountId, { charges_enabled: false }, seconds(-60)),
    );
    expect(await itemOf(accountId)).toMatchObject({ chargesEnabled: true, payoutsEnabled: true });
  });

  it('is applied even if it has the same second as the connection; of two events of the same second, the last delivered counts', async () => {
    const { accountId } = await connectedBrands();
    const withinTheSecond = { set: { flagsAt: new Date(NOW.getTime() + 700).toISOString() } };
    await world.deps().table.update(keys.processorAccount(accountId), withinTheSecond);
    await deliverToPlatform(updated(accountId, { payouts_enabled: true }, NOW));
    expect(await itemOf(accountId)).toMatchObject({ chargesEnabled: false, payoutsEnabled: true });
    await deliverToPlatform(updated(accountId, { charges_enabled: true }, NOW));
    expect(await itemOf(accountId)).toMatchObject({ chargesEnabled: true, payoutsEnabled: false });
  });

  it('treats flags that are absent or not boolean as false', async () => {
    const { accountId } = await connectedBrands();
    await deliverToPlatform(updated(accountId, { charges_enabled: 'true' }));
    expect(await itemOf(accountId)).toMatchObject({
      chargesEnabled: false,
      payoutsEnabled: false,
      detailsSubmitted: false,
    });
  });

  it('stores nothing for an account that is not connected', async () => {
    const before = await allItems(world);
    await deliverToPlatform(updated('acct_nobody', { charges_enabled: true }), {
      ...updated('acct_nobody', {}),
      account: undefined,
    });
    expect(await allItems(world)).toEqual(before);
  });
});

const gone = (accountId: string, at = seconds(60)) =>
  stripeEvent('account.application.deauthorized', { id: 'ca_1' }, { account: accountId, at });

describe('Stripe’s account.application.deauthorized event', () => {
  it('disconnects the account from all its programs and leaves a program’s own webhook endpoint as it is', async () => {
    const { accountId, brands } = await connectedBrands(2);
    const [one, other] = brands;
    await directEndpoint(world, other!);
    await deliverToPlatform(gone(accountId));
    expect(await itemOf(accountId)).toBeUndefined();
    expect(await linkOf(one!.program.id)).toBeUndefined();
    expect(await linkOf(other!.program.id)).toEqual({
      connectedAt: NOW.toISOString(),
      signingSecrets: [{ sealed: expect.any(String) }],
    });
    const { id, metadata } = await visitorOf(other!);
    await deliverToPlatform({ ...paid(id, { metadata }), account: accountId });
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await deliver(other!, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toBeDefined();
  });

  it('changes nothing if it is delivered again after the brand reconnected', async () => {
    const { accountId, brands } = await connectedBrands();
    const event = gone(accountId);
    await deliverToPlatform(event);
    await connected(world, accountId, brands);
    await deliverToPlatform(event);
    expect(await itemOf(accountId)).toBeDefined();
    expect(await linkOf(brands[0]!.program.id)).toMatchObject({ accountId });
  });

  it('changes nothing if its first delivery comes after the brand reconnected', async () => {
    const { accountId, brands } = await connectedBrands();
    await deliverToPlatform(gone(accountId, seconds(-60)));
    expect(await linkOf(brands[0]!.program.id)).toMatchObject({ accountId });
  });

  it('is ignored for an account that is not connected', async () => {
    const before = await allItems(world);
    await deliverToPlatform(gone('acct_nobody'), { ...gone('acct_nobody'), account: undefined });
    expect(await allItems(world)).toEqual(before);
  });
});

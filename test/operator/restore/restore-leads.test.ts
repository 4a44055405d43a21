import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commissionNameKey } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead, changeProgram, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { customerOf, leadOf, paid, visitorOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Tests of data of a settled lead and its commission that a restored table may lack.

openProcessor();

let world: World;
let brand: Brand;
/** A brand created before the first check, which raises the ids of later programs by far. */
let lonely: Brand;
let clickId: string;
let id: number;
let place: { readonly kind: 'lead'; readonly clickId: string; readonly id: number };
beforeAll(async () => {
  world = await openWorld();
  brand = await directBrand(world, { leadCommissionCents: 500 });
  lonely = await world.brand({ leadCommissionCents: 500 });
});

const TO = new Date(NOW.getTime() + 60_000);
const change = (key: Key, set: Record<string, unknown>) => world.deps().table.update(key, { set });
const lose = (key: Key) => world.deps().table.transact([{ name: 'lost', key, remove: true }]);
const itemOf = (key: Key) => world.deps().table.get<Record<string, unknown>>(key);
const commission = () => itemOf(keys.leadCommission(clickId));

/** Runs the check. @returns its results for the customer and the commission */
async function check() {
  const { repaired, unrepaired } = await operated(
    world,
    ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'],
    TO,
  );
  return { repaired: ofLead(repaired), unrepaired: ofLead(unrepaired) };
}

const ofLead = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith(`customer ${clickId}`) || line.startsWith(`commission ${id}:`));

const nothing = { repaired: [], unrepaired: [] };
const earned = () => `customer ${clickId}: what its lead earned`;

async function nameLead(): Promise<void> {
  id = (await leadOf(world, clickId))!.id as number;
  place = { kind: 'lead', clickId, id };
}

beforeEach(async () => {
  clickId = await clicked(brand);
  await settledLead(brand, { click_id: clickId });
  await nameLead();
});

/** Expects that the check finds nothing to repair. */
async function expectNothingFound(): Promise<void> {
  expect(await check()).toEqual(nothing);
  await expectNothingHalfWritten(world);
}

describe('`restore check`, for a lead that earned a commission,', () => {
  afterEach(() => expectNothingFound());

  it('changes nothing if nothing is missing', async () => {
    expect(await check()).toEqual(nothing);
  });

  it('restores the small item through which lists find its commission', async () => {
    await lose(commissionNameKey(place));
    expect(await check()).toEqual({ ...nothing, repaired: [`commission ${id}: its name`] });
  });

  it.each([
    ['which is still listed', true],
    ['which is not listed either', false],
  ])('recreates its lost commission, %s', async (_, hasName) => {
    const before = await commission();
    await lose(keys.leadCommission(clickId));
    if (!hasName) await lose(commissionNameKey(place));
    expect(await check()).toEqual({ ...nothing, repaired: [earned()] });
    const at = TO.toISOString();
    expect(await commission()).toEqual({
      ...before,
      gsi1sk: expect.stringContaining(at),
      gsi2sk: expect.stringContaining(at),
      createdAt: at,
      holdUntil: expect.any(String),
      history: [expect.objectContaining({ actor: 'operator', action: 'created' })],
    });
  });

  it('recreates its lost commission with the day of the payment if a payment confirmed the lead', async () => {
    const person = await visitorOf(brand);
    ({ clickId } = person);
    await browserLead({ click_id: clickId });
    await deliver(brand, paid(person.id, { metadata: person.metadata }));
    await nameLead();
    const before = await commission();
    await lose(keys.leadCommission(clickId));
    expect(await check()).toEqual({ ...nothing, repaired: [earned()] });
    expect((await commission())?.occurredAt).toBe(before!.occurredAt);
  });

  it('recreates its lost commission for the lead’s partner, even if a coupon code later gave the customer to another partner', async () => {
    await changeProgram(world, brand, { codePrecedence: 'code_first' });
    const cleo = await cleoWithCode(world, brand);
    await sold(brand, { transaction_id: 'moved', coupon_code: 'SAVE10', click_id: clickId });
    expect(await customerOf(world, clickId)).toMatchObject({ partnerId: cleo.partner.id });
    const { partnerId, shortLink } = (await commission())!;
    expect({ partnerId, shortLink }).toEqual({ partnerId: brand.partner.id, shortLink: brand.shortLink });
    await lose(keys.leadCommission(clickId));
    expect(await check()).toEqual({ ...nothing, repaired: [earned()] });
    expect(await commission()).toMatchObject({ partnerId, shortLink });
  });

  it('confirms the lead again if the restore left it as provisional, with or without its commission', async () => {
    for (const hasCommission of [true, false]) {
      await change(keys.lead(clickId), { state: 'provisional', earned: undefined });
      if (!hasCommission) await lose(keys.leadCommission(clickId));
      expect(await check()).toEqual({ ...nothing, repaired: [`customer ${clickId}: its lead`, earned()] });
      expect(await itemOf(keys.lead(clickId))).toMatchObject({ state: 'settled', earned: true });
      expect(await commission()).toMatchObject({ amountCents: 500 });
    }
  });

  it('gives the customer the status lead again, and recreates the commission', async () => {
    await change(keys.customer(clickId), { status: 'click', leadState: undefined, signupAt: undefined });
    await lose(keys.leadCommission(clickId));
    expect(await check()).toEqual({ ...nothing, repaired: [`customer ${clickId}: its lead`, earned()] });
    expect(await commission()).toMatchObject({ amountCents: 500 });
  });
});

const lost = () => [
  `customer ${clickId}: what its lost lead earned`,
  `customer ${clickId}: its lead is lost and can be sent again`,
];
const sendAgain = async () => {
  await settledLead(brand, { click_id: clickId });
  expect(await commission()).toMatchObject({ amountCents: 500 });
  await expectNothingHalfWritten(world);
};

describe('if a restore lost the lead for which a commission was paid, `restore check`', () => {
  it('deletes the commission, so that the lead can be sent again', async () => {
    await lose(keys.lead(clickId));
    expect(await check()).toEqual({ ...nothing, repaired: lost() });
    await sendAgain();
  });

  it('deletes the small item through which lists find the commission if only that item is left', async () => {
    await lose(keys.lead(clickId));
    await lose(keys.leadCommission(clickId));
    expect(await check()).toEqual({ ...nothing, repaired: lost() });
    await sendAgain();
  });

  it('deletes the commission even if the lead still exists, but only as provisional', async () => {
    await change(keys.lead(clickId), { state: 'provisional', earned: undefined });
    await change(keys.customer(clickId), { status: 'click', leadState: 'provisional', signupAt: undefined });
    expect(await check()).toEqual({ ...nothing, repaired: lost().slice(0, 1) });
    await sendAgain();
  });

  it('lists the commission for a manual decision if it was paid out', async () => {
    await change(keys.leadCommission(clickId), { status: 'paid', paidAt: NOW.toISOString() });
    await lose(keys.lead(clickId));
    expect(await check()).toEqual({
      repaired: lost().slice(1),
      unrepaired: [`customer ${clickId}: its lead is lost, and what it earned is paid`],
    });
  });
});

it('`restore check` lists a lost lead commission for a manual decision if the program no longer pays for leads', async () => {
  clickId = await clicked(lonely);
  await settledLead(lonely, { click_id: clickId });
  await changeProgram(world, lonely, { leadCommissionCents: 0 });
  await lose(keys.leadCommission(clickId));
  const why = `${earned()} is lost, and by the terms of now it earns nothing`;
  expect(await check()).toEqual({ ...nothing, unrepaired: [why] });
});

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer, type Erasure } from '#lib/service/operations/erasure/erase-customer.ts';
import { failing, overtakenBy, refused } from '#test/support/table/faults.ts';
import { failedSale, fresh } from '#test/support/payments/failed-sales.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { livedThrough as lifeOf, tracesOf } from '#test/support/payments/lives/lived-through.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

openProcessor();
const world = openedWorld();
const brand = opened(() => directBrand(world));

const LATER = new Date(NOW.getTime() + 3_600_000);
const settled = () => Promise.resolve();
const erase = (who: Omit<Erasure, 'programId'>, settle: () => Promise<unknown> = settled, at = NOW) =>
  eraseCustomer(world.deps(at), { programId: brand.program.id, ...who }, settle);

const livedThrough = (name: string) => lifeOf(brand, name);
const traces = (name: string) => tracesOf(world, name);

const emailItems = () => allItems(world).then((items) => items.filter(({ pk }) => String(pk).startsWith('EMAIL#')));

describe('the erasure of a person whose data are in every kind of item', () => {
  let lived: Awaited<ReturnType<typeof livedThrough>>;
  let before: Record<string, unknown>[];
  let counters: unknown;
  let known: { traces: Record<string, unknown>[]; emails: unknown[] };
  let erased: unknown;
  beforeAll(async () => {
    lived = await livedThrough('jane');
    await counted(world);
    counters = await counterItems(world);
    before = await world.items(`CUSTOMER#${lived.clickId}`);
    known = { traces: await traces('jane'), emails: await emailItems() };
    erased = await erase({ customerKey: lived.key });
  });

  it('is tested with personal data in every kind of item', () => {
    expect(
      known.traces.map(({ pk, sk }) => `${String(pk)} ${String(sk)}`.replaceAll(/#[^ ]*/g, '')).toSorted(),
    ).toEqual([
      'CUSTOMER CLICK',
      'CUSTOMER CUSTOMER',
      'CUSTOMER LEAD',
      'CUSTOMER PAYER',
      'KEY PROGRAM',
      'PAYER PAYER',
      'SALE REFUND',
      'SALE SALE',
      'SALE SALE',
      'SALE SALE',
    ]);
    expect(known.emails).toHaveLength(1);
  });

  it('returns the number of the person’s sales, which remain', () => {
    expect(erased).toEqual({ clickId: lived.clickId, sales: 3 });
  });

  it('leaves no item with the person’s data, such as the e-mail address or its hash', async () => {
    expect(await traces('jane')).toEqual([]);
    expect(await emailItems()).toEqual([]);
    expect(await world.items(`PAYER#${brand.program.id}#cus_janex`)).toEqual([]);
  });

  it('leaves the person’s clicks, lead and list of sales without personal data', async () => {
    const after = await world.items(`CUSTOMER#${lived.clickId}`);
    const stays = before.filter(({ sk }) => !String(sk).startsWith('PAYER#')).map(withoutPerson);
    expect(after.map(withoutPerson)).toEqual(stays);
    expect(after.map(({ sk, visit }) => [String(sk).split('#')[0], visit])).toEqual([
      ['CLICK', {}],
      ['CUSTOMER', {}],
      ['LEAD', undefined],
      ...lived.transactions.map(() => ['SALE', undefined]),
    ]);
  });

  it('leaves sales, commissions and refunds with their ids, amounts and partner', async () => {
    for (const transaction of lived.transactions) {
      const { sale: stored, commission } = await saleItems(world, transaction);
      expect(stored).toMatchObject({ transactionId: transaction, commissionState: 'created' });
      expect(stored.attribution).toMatchObject({ clickId: lived.clickId, partnerId: brand.partner.id });
      expect(commission).toMatchObject({ partnerId: brand.partner.id, clickId: lived.clickId });
    }
    const [first, , third] = await Promise.all(lived.transactions.map((each) => saleItems(world, each)));
    expect(first!.sale).toMatchObject({ amountCents: 4900, refundedCents: 900 });
    expect(first!.sale.attribution).toMatchObject({ resolvedBy: 'customer_key', identifier: '(erased)' });
    expect(third!.sale.attribution).toMatchObject({ resolvedBy: 'click_id', identifier: lived.clickId });
  });

  it('changes no counts', async () => {
    await counted(world);
    expect(await counterItems(world)).toEqual(counters);
    const rebuilt = await operated(world, `metrics rebuild --program ${brand.program.id}`);
    expect(rebuilt).toEqual({ program_id: brand.program.id, days: 1, corrected: 0, left: 0 });
    expect(await counterItems(world)).toEqual(counters);
  });

  it('leaves no identifier, such as the customer key, that finds the customer', async () => {
    const bySale = { key: brand.key, body: { transaction_id: 'new', amount_cents: 100 } };
    const sales = await Promise.all(
      [{ customer_key: lived.key }, { click_id: lived.clickId }].map((who) =>
        send(sale, { ...bySale, body: { ...bySale.body, ...who } }),
      ),
    );
    const message = 'Customer not found. Provide customer_key or click_id.';
    expect(sales.map(({ status, body }) => [status, body.error.message])).toEqual([
      [400, message],
      [400, message],
    ]);
    const signup = await send(lead, { key: brand.key, body: { click_id: lived.clickId, customer_key: lived.key } });
    expect(signup.status).toBe(400);
    const visit = { affiliate_url: brand.affiliateUrl, existing_click_id: lived.clickId };
    expect((await send(click, { body: visit })).body.click_id).not.toBe(lived.clickId);
  });

  it('leaves the transaction ids, so that a repeated payment is still a duplicate', async () => {
    const again = { transaction_id: 'jane1', amount_cents: 4900, customer_key: lived.key };
    expect((await send(sale, { key: brand.key, body: again })).status).toBe(409);
  });

  it('has the same result if it is repeated by click id or customer key, and then does not wait for requests in progress', async () => {
    const settle = vi.fn<typeof settled>(settled);
    const after = await allItems(world);
    expect(await erase({ clickId: lived.clickId }, settle, LATER)).toEqual({ clickId: lived.clickId, sales: 3 });
    expect(await erase({ customerKey: lived.key }, settle, LATER)).toEqual({ clickId: lived.clickId, sales: 3 });
    expect(settle).not.toHaveBeenCalled();
    expect(await allItems(world)).toEqual(after);
  });

  it('lets another customer use the customer key', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: lived.key });
    expect(await erase({ customerKey: lived.key })).toEqual({ clickId, sales: 0 });
  });
});

/** The parts of an item that must stay. */
const withoutPerson = (item: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(item).filter(([attribute]) => !OF_THE_PERSON.has(attribute)));
const OF_THE_PERSON = new Set(
  'visit customerKey email erasedAt eventName pageUrl sessionId otherClickIds formerEmailHash emailListedAt claimedKey traits firstPayer unboundKey'.split(
    ' ',
  ),
);

it('an erasure deletes the customer’s traits, with which fraud rules compared, and leaves the flags of the commission', async () => {
  const { clickId, key, transactions } = await livedThrough('rita');
  const { table } = world.deps();
  const traits = { referrer: 'rita-referrer.test', adCampaign: 'rita-campaign', mailDomain: 'rita-domain.test' };
  for (const each of [keys.customer(clickId), keys.customerKey(key, brand.program.id)]) {
    await table.update(each, { set: { traits } }, { exists: true });
  }
  const flags = [{ rule: 'banned_referrer', at: NOW.toISOString(), evidence: 'From a banned referrer' }];
  await table.update(keys.commission(transactions[0]!), { set: { flags } }, { exists: true });
  await erase({ clickId });
  expect(await traces('rita')).toEqual([]);
  expect((await world.items(`CUSTOMER#${clickId}`)).filter((item) => 'traits' in item)).toEqual([]);
  expect((await saleItems(world, transactions[0]!)).commission).toMatchObject({ flags });
});

describe('an erasure that crashes', () => {
  it.each(['write', 'second write'] as const)('at the %s is completed when the command is repeated', async (call) => {
    const name = fresh('crash').replace('-', '');
    const { clickId, key } = await livedThrough(name);
    await expect(failing(call, refused('InternalServerError'), () => erase({ customerKey: key }))).rejects.toThrow(
      'InternalServerError',
    );
    expect(await erase({ customerKey: key })).toEqual({ clickId, sales: 3 });
    expect(await traces(name)).toEqual([]);
  });
});

const named = () => fresh('racer').replace('-', '');

describe('the erasure of a customer during another request for that customer', () => {
  it('makes a lead fail with “Customer not found” if the erasure is written first', async () => {
    const name = named();
    const clickId = await clicked(brand);
    const body = { click_id: clickId, customer_key: `${name}-key`, email: `${name}@people.test` };
    const overtaken = overtakenBy(() => erase({ clickId }));
    const reply = await failing('write', overtaken, () => send(lead, { key: brand.key, body }));
    expect([reply.status, reply.body.error.message]).toEqual([
      400,
      'Customer not found. Provide a valid click_id or customer_key.',
    ]);
    expect(await traces(name)).toEqual([]);
  });

  it('erases the personal data of a lead that is written first', async () => {
    const name = named();
    const clickId = await clicked(brand);
    const body = { click_id: clickId, customer_key: `${name}-key`, email: `${name}@people.test` };
    const overtaken = overtakenBy(() => send(lead, { key: brand.key, body }));
    await failing('write', overtaken, () => erase({ clickId }));
    expect(await traces(name)).toEqual([]);
    expect((await world.items(`CUSTOMER#${clickId}`)).map(({ sk }) => sk)).toEqual(['CUSTOMER', 'LEAD']);
  });

  it('makes the customer’s first sale fail with no_attribution, and no sale is stored, if the erasure is written first', async () => {
    const name = named();
    const clickId = await clicked(brand);
    const body = { transaction_id: `${name}1`, amount_cents: 4900, click_id: clickId, customer_key: `${name}-key` };
    const reply = await failing(
      'write',
      overtakenBy(() => erase({ clickId })),
      () => send(sale, { key: brand.key, body }),
    );
    expect([reply.status, reply.body.error.code]).toEqual([400, 'no_attribution']);
    expect(await world.items(`SALE#${name}1`)).toEqual([]);
    expect(await traces(name)).toEqual([]);
  });

  it('erases the personal data of a sale that is written while the erasure waits for requests in progress', async () => {
    const name = named();
    const { key } = await livedThrough(name);
    const body = { transaction_id: `late-${name}1`, amount_cents: 4900, customer_key: key };
    // This request has read the customer before the erasure, and commits while the erasure waits for such requests.
    const overtaken = async (send_: () => Promise<unknown>) => {
      expect((await erase({ customerKey: key }, send_)).sales).toBe(4);
    };
    await failing('write', overtaken, () => send(sale, { key: brand.key, body }));
    expect((await saleItems(world, `late-${name}1`)).sale).toMatchObject({ commissionState: 'created' });
    expect(await traces(name)).toEqual([]);
  });

  it('erases the personal data of a visit that is written while the erasure waits for requests in progress', async () => {
    const name = named();
    const clickId = await clicked(brand);
    const body = { affiliate_url: brand.affiliateUrl, existing_click_id: clickId, page_url: `https://x.test/${name}` };
    await erase({ clickId }, () => Promise.resolve());
    const other = await clicked(brand);
    const overtaken = async (send_: () => Promise<unknown>) => void (await erase({ clickId: other }, send_));
    await failing('write', overtaken, () => send(click, { body: { ...body, existing_click_id: other } })).catch(
      () => undefined,
    );
    expect((await world.items(`CUSTOMER#${other}`)).map(({ visit }) => visit)).toEqual([{}, {}]);
    expect(await traces(name)).toEqual([]);
  });
});

describe('a sale that was recorded without its commission', () => {
  it('gets a commission for its partner by the repair command, even after the customer was erased', async () => {
    const name = fresh('owed').replace('-', '');
    const clickId = await clicked(brand);
    const id = await failedSale(brand, { click_id: clickId, customer_key: `${name}-key` });
    await erase({ clickId });
    expect(await operated(world, `sale repair --transaction ${id}`)).toEqual({ repaired: [id], skipped: [] });
    expect((await saleItems(world, id)).commission).toMatchObject({ partnerId: brand.partner.id, amountCents: 980 });
    expect(await traces(name)).toEqual([]);
    expect((await world.items(`CUSTOMER#${clickId}`))[0]).toMatchObject({ status: 'conversion', visit: {} });
  });
});

const command = (rest: string, program = brand.program.id) => `customer erase --program ${program} ${rest}`;

describe('the operator’s command `erase`', () => {
  it('prints its result as JSON or text', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: fresh('spoken'), click_id: clickId });
    await erase({ clickId });
    expect(await operated(world, command(`--click-id ${clickId}`), LATER)).toEqual({
      click_id: clickId,
      erased: true,
      sales: 1,
    });
    expect((await operator(world, command(`--click-id ${clickId}`), LATER)).out).toEqual([
      `Customer ${clickId} is erased. Sales that stay, without what names it: 1.`,
    ]);
  });

  it('fails for a customer whom the program does not have', async () => {
    const other = await world.brand();
    const clickId = await clicked(brand);
    expect(await refusedWith(world, command('--click-id clk_nobody'))).toBe('Customer not found');
    expect(await refusedWith(world, command(`--click-id ${clickId}`, other.program.id))).toBe('Customer not found');
    expect(await refusedWith(world, command('--customer-key nobody'))).toBe(
      'Customer not found. No customer of this program has this key; one who had it may be erased already.',
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { countsByDay, countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';
import { findCounter } from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { changeGroup, createGroup } from '#lib/service/programs/terms/change-agreements.ts';
import { changeCode } from '#lib/service/programs/links/change-code.ts';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import {
  type Credential,
  DISABLED,
  type Expected,
  type ReferenceModel,
  referenceModel,
  type TermsChange,
} from '#test/support/payments/lives/model.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import type { World } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const stranger = opened(() => world.brand());

const anySettings = fc
  .record({
    commissionType: fc.constantFrom('percent', 'fixed', 'recurring_percent', 'recurring_fixed'),
    commissionRate: fc.constantFrom(20, 12.5, 33.3333, 0.005, 100),
    commissionBase: fc.constantFrom('gross', 'excluding_tax'),
    durationMonths: fc.constantFrom(0, 1, 3),
    termsApply: fc.constantFrom('current', 'first_sale'),
    attributionWindowDays: fc.constantFrom(1, 7, 60),
    leadAuth: fc.constantFrom('server_required', 'browser_allowed'),
    leadCommissionCents: fc.constantFrom(0, 300),
    codePrecedence: fc.constantFrom('link_first', 'code_first'),
  })
  // If browsers settle leads, leads earn nothing.
  .map((settings) => (settings.leadAuth === 'browser_allowed' ? { ...settings, leadCommissionCents: 0 } : settings));

const anyTerms = fc.record({
  commissionType: fc.constantFrom('percent', 'fixed', 'recurring_percent', 'recurring_fixed'),
  commissionRate: fc.constantFrom(10, 17.5),
  durationMonths: fc.constantFrom(0, 2),
});
const anyTermsChange: fc.Arbitrary<{ readonly do: 'terms'; readonly change: TermsChange }> = fc.record({
  do: fc.constant('terms'),
  change: fc.oneof(
    fc.record({ of: fc.constantFrom('program', 'group'), terms: anyTerms }),
    fc.record({ of: fc.constant('partner'), link: fc.nat(1), terms: fc.option(anyTerms, { freq: 2 }) }),
    fc.record({ of: fc.constant('member'), link: fc.nat(1), isIn: fc.boolean() }),
  ),
});

const HOUR = 3_600_000;
const chosen = fc.nat(9);
const perhaps = fc.option(chosen, { nil: undefined, freq: 3 });
const mostly = fc.option(chosen, { nil: undefined, freq: 9 });
/** Mostly the current key; each of the other credentials in one of ten cases. */
const credentialOf = (...others: Credential[]) =>
  fc.constantFrom(...Array.from({ length: 10 - others.length }, () => 'current' as const), ...others);
const who = { customer: mostly, customerKey: perhaps };

const anyClick = fc.record({
  do: fc.constant('click'),
  link: fc.nat(1),
  existing: perhaps,
  credential: credentialOf('old', 'none', 'none', 'none'),
});
const anyLead = fc.record({
  do: fc.constant('lead'),
  ...who,
  credential: credentialOf('none', 'none', 'none', 'none', 'old'),
});
const anySale = fc.record({
  do: fc.constant('sale'),
  ...who,
  transaction: chosen,
  amountCents: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_999_999 })),
  /** Tax as a percentage of the amount; undefined if unknown. */
  taxPercent: fc.option(fc.constantFrom(0, 7, 19, 100), { nil: undefined }),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'EUR', 'EUR', 'GBP'),
  isRecurring: fc.constantFrom(false, false, true),
  /** The link whose code is sent: of the first or second partner, or the disabled one. */
  code: fc.option(fc.nat(DISABLED), { nil: undefined, freq: 2 }),
  /** How long ago the customer paid. */
  hoursAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 24 * 29 })),
  credential: credentialOf('old', 'none'),
});
const anyRefund = fc.record({
  do: fc.constant('refund'),
  transaction: chosen,
  /** Total as a percentage of the sale's amount; undefined sends no total. */
  percent: fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined, freq: 3 }),
  reason: fc.constantFrom('refund', 'chargeback'),
  credential: credentialOf('old', 'none'),
});
const anyKeyChange = fc.oneof(
  fc.record({ do: fc.constant('regenerate') }),
  fc.record({ do: fc.constant('mark'), hours: fc.constantFrom(0, 1, 24, 30 * 24, 90 * 24, 365 * 24) }),
);
const anyPolicy = fc.record({
  do: fc.constant('policy'),
  leadAuth: fc.constantFrom('server_required', 'browser_allowed'),
});
const anyWait = fc.record({
  do: fc.constant('wait'),
  hours: fc.oneof(fc.constantFrom(24, 7 * 24, 60 * 24), fc.integer({ min: 1, max: 40 * 24 })),
});
const anyProgram = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: anyClick },
    { weight: 5, arbitrary: anyLead },
    { weight: 7, arbitrary: anySale },
    { weight: 4, arbitrary: anyRefund },
    { weight: 3, arbitrary: anyWait },
    { weight: 1, arbitrary: anyKeyChange },
    { weight: 3, arbitrary: anyTermsChange },
    { weight: 2, arbitrary: anyPolicy },
  ),
  { minLength: 15, maxLength: 23, size: 'max' },
);
/** Two clicks, because most rules need a customer. */
const TWO_CLICKS = [0, 1].map((link): Command => ({ do: 'click', link, existing: undefined, credential: 'none' }));
type Settings = typeof anySettings extends fc.Arbitrary<infer T> ? T : never;
type Command = (typeof anyProgram extends fc.Arbitrary<infer T> ? T : never)[number];

type Person = Pick<Extract<Command, { do: 'sale' }>, 'customer' | 'customerKey'>;
const FIRST: Person = { customer: 0, customerKey: 0 };
const SECOND: Person = { customer: 1, customerKey: 0 };
const KEY_ALONE: Person = { customer: undefined, customerKey: 0 };
const leadOf = (person: Person, credential: Credential): Command => ({ do: 'lead', ...person, credential });
const saleOf = (person: Person, transaction: number): Command => ({
  do: 'sale',
  ...person,
  transaction,
  amountCents: 100,
  taxPercent: undefined,
  currency: 'USD',
  isRecurring: false,
  code: undefined,
  hoursAgo: 0,
  credential: 'current',
});

const from = <Name>(names: readonly Name[], index: number | undefined) =>
  index === undefined ? undefined : names[index % names.length];

let runs = 0;

/** Creates a program of the service, and a model of the same program. */
async function sideBySide(wanted: Settings) {
  runs += 1;
  const run = runs;
  const brand = await world.brand(wanted);
  const links = [brand, await anotherPartner(world, brand, 'Ben')];
  const codes = ['FIRST', 'SECOND', 'OFF'];
  for (const [index, code] of codes.entries()) await givenCode(world, links[index % 2]!, { code });
  await changeCode(world.deps(), brand.program.id, 'OFF', { status: 'disabled' });
  const foreign = { customerKey: `elsewhere-${run}`, transactionId: `elsewhere-${run}` };
  const clickId = await signedUp(stranger, foreign.customerKey);
  await sold(stranger, { transaction_id: foreign.transactionId, customer_key: foreign.customerKey });
  const model = referenceModel(wanted, { ...foreign, clickId });
  const secrets = { current: brand.key, old: 'aff_unknown', none: undefined };
  let now = NOW.getTime();

  // The last numbers refer to an unknown item or one of another program, the others to existing items.
  const clickIdOf = (index?: number) => {
    if (index === 9 || (index !== 8 && model.customers.size === 0)) return 'clk_unknown';
    return from(index === 8 ? [clickId] : [...model.customers.keys()], index);
  };
  const named = [1, 2, 3].map((number) => `key-${run}-${number}`);
  const keyOf = (index?: number) => from(index === 9 ? [foreign.customerKey] : named, index);
  const transactions = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `sale-${run}-${number}`);
  const transactionOf = (index: number) => from([...transactions, foreign.transactionId], index)!;

  async function changeTerms(deps: ReturnType<World['deps']>, change: TermsChange): Promise<void> {
    const { id } = brand.program;
    if (change.of === 'program') {
      await changeProgram(deps, id, () => change.terms);
    } else if (change.of === 'group') {
      const terms = { ...change.terms, holdPeriodDays: 15 };
      await (model.hasGroup() ? changeGroup(deps, id, 1, { terms }) : createGroup(deps, id, { name: 'Group', terms }));
    } else if (change.of === 'partner') {
      const terms = change.terms && { ...change.terms, holdPeriodDays: 15 };
      await changePartner(deps, { id }, links[change.link]!.partner.id, { terms });
    } else if (change.of === 'member' && model.hasGroup()) {
      await changePartner(deps, { id }, links[change.link]!.partner.id, { groupId: change.isIn ? 1 : null });
    }
  }

  async function agree(reply: TestReply, expected: Expected, credential: Credential): Promise<void> {
    expect(reply).toMatchObject(expected);
    const warnings: readonly { readonly code: string }[] = reply.body.warnings ?? [];
    const isWarned = warnings.some(({ code }) => code === 'api_key_rotation_required');
    expect(isWarned).toBe(model.isWarned(credential, now));
    // In these histories only a click id causes a warning, because no processor is connected and there are no bots.
    const others = warnings.filter(({ code }) => code !== 'api_key_rotation_required');
    expect(others.filter(({ code }) => !['unknown_click', 'other_program_click'].includes(code))).toEqual([]);
  }

  async function step(command: Command): Promise<void> {
    now += 1000;
    const at = new Date(now);
    switch (command.do) {
      case 'click': {
        const { link, credential } = command;
        const existing = clickIdOf(command.existing);
        const body = { affiliate_url: links[link]!.affiliateUrl, existing_click_id: existing };
        const reply = await send(click, { body, key: secrets[credential], at });
        return agree(reply, model.click(link, existing, reply.body.click_id, credential, now), credential);
      }
      case 'lead': {
        const ids = { clickId: clickIdOf(command.customer), customerKey: keyOf(command.customerKey) };
        const body = { click_id: ids.clickId, customer_key: ids.customerKey };
        const reply = await send(lead, { body, key: secrets[command.credential], at });
        return agree(reply, model.lead(ids, command.credential, now), command.credential);
      }
      case 'sale': {
        const { amountCents, taxPercent, currency, isRecurring, hoursAgo, code } = command;
        const tax = taxPercent === undefined ? undefined : Math.round((amountCents * taxPercent) / 100);
        const paidAt = now - hoursAgo * HOUR;
        const ids = { clickId: clickIdOf(command.customer), customerKey: keyOf(command.customerKey) };
        const transactionId = transactionOf(command.transaction);
        // A repeated call that is the first to contain the tax is tested elsewhere.
        const known = model.sales.get(transactionId);
        const taxCents = known?.amountCents === amountCents ? known.taxCents : tax;
        const body = {
          transaction_id: transactionId,
          amount_cents: amountCents,
          tax_cents: taxCents,
          currency,
          is_recurring: isRecurring,
          click_id: ids.clickId,
          customer_key: ids.customerKey,
          coupon_code: from(codes, code)?.toLowerCase(),
          ...(hoursAgo > 0 && { occurred_at: new Date(paidAt).toISOString() }),
        };
        const order = { ...ids, transactionId, amountCents, taxCents, currency, isRecurring, paidAt, code };
        const reply = await send(sale, { body, key: secrets[command.credential], at });
        const stored = await findSale(world.deps().table, transactionId);
        const newId = stored?.attribution?.clickId ?? '';
        return agree(reply, model.sale(order, newId, command.credential, now), command.credential);
      }
      case 'refund': {
        // Prefers an existing sale to a new one.
        const isKnown = command.transaction < 8 && model.sales.size > 0;
        const known = isKnown ? [...model.sales.keys()] : [transactionOf(command.transaction)];
        const transactionId = from(known, command.transaction)!;
        const { percent, reason } = command;
        const amount = model.sales.get(transactionId)?.amountCents ?? 100;
        const totalCents = percent === undefined ? undefined : Math.round((amount * percent) / 100);
        const body = { transaction_id: transactionId, reason, refund_amount_cents: totalCents };
        const reply = await send(refund, { body, key: secrets[command.credential], at });
        const order = { transactionId, totalCents, reason };
        return agree(reply, model.refund(order, command.credential, now), command.credential);
      }
      case 'regenerate': {
        const { key } = await generateProgramKey(world.deps(at), brand.program.id);
        Object.assign(secrets, { current: key, old: secrets.current });
        return model.regenerate();
      }
      case 'mark': {
        const deadline = now + command.hours * HOUR;
        await markKeyForRotation(world.deps(at), brand.program.id, new Date(deadline));
        return model.mark(deadline);
      }
      case 'terms': {
        const { change } = command;
        await changeTerms(world.deps(at), change);
        return model.changeTerms(change);
      }
      case 'policy': {
        const { leadAuth } = command;
        const changed = changeProgram(world.deps(at), brand.program.id, () => ({ leadAuth }));
        if (leadAuth === 'browser_allowed' && wanted.leadCommissionCents > 0) {
          return expect(changed).rejects.toThrow('lead commissions require lead_auth server_required');
        }
        await changed;
        return model.changePolicy(leadAuth);
      }
      case 'wait': {
        now += command.hours * HOUR;
        return undefined;
      }
    }
  }
  return {
    programId: brand.program.id,
    links,
    partners: links.map(({ partner }) => partner.id),
    transactions,
    model,
    step,
  };
}

type Sides = Awaited<ReturnType<typeof sideBySide>>;

const timeOf = (iso: unknown) => (typeof iso === 'string' ? Date.parse(iso) : undefined);

/** Plays a history in which all replies must be equal. @returns both sides */
async function lived(wanted: Settings, commands: readonly Command[]): Promise<Sides> {
  const sides = await sideBySide(wanted);
  for (const command of [...TWO_CLICKS, ...commands]) await sides.step(command);
  return sides;
}

/** The table's customers in the model's form. */
async function storedCustomers({ model, partners, links }: Sides) {
  const { table } = world.deps();
  const stored = [...model.customers.keys()].map(async (clickId) => {
    const [item, earned] = await Promise.all([
      table.get<Record<string, unknown>>(keys.customer(clickId)),
      table.get<Record<string, unknown>>(keys.leadCommission(clickId)),
    ]);
    const {
      partnerId,
      shortLink,
      code,
      firstClickAt,
      status,
      leadState,
      signupAt,
      firstPurchaseAt,
      firstTerms,
      customerKey,
      keyBoundBy,
      unboundKey,
      people,
      sharedClick,
    } = item!;
    return [
      clickId,
      {
        link: partners.findIndex((id) => id === partnerId),
        firstLink: shortLink === undefined ? undefined : links.findIndex((link) => link.shortLink === shortLink),
        byCode: code === undefined ? undefined : true,
        firstClickAt: timeOf(firstClickAt),
        status,
        leadState,
        signupAt: timeOf(signupAt),
        firstPurchaseAt: timeOf(firstPurchaseAt),
        firstTerms: (firstTerms as TermsInForce | undefined)?.version?.version ?? firstTerms,
        customerKey,
        keyBoundBy,
        unboundKey,
        people,
        sharedOf: (sharedClick as { clickId: string } | undefined)?.clickId,
        leadCents: earned?.amountCents,
      },
    ] as const;
  });
  return new Map(await Promise.all(stored));
}

async function expectSameSales({ model, partners, transactions }: Sides): Promise<void> {
  const { table } = world.deps();
  for (const transactionId of transactions) {
    const expected = model.sales.get(transactionId);
    const { commission } = expected ?? {};
    const [found, earned] = await Promise.all([
      table.get<Record<string, unknown>>(keys.sale(transactionId)),
      table.get<Record<string, unknown>>(keys.commission(transactionId)),
    ]);
    expect([found !== undefined, earned !== undefined]).toEqual([expected !== undefined, commission !== undefined]);
    if (!expected) continue;
    const { amountCents, taxCents, currency, refundedCents, link, terms } = expected;
    expect(found).toMatchObject({ amountCents, currency, refundedCents, termsVersion: terms });
    expect(found!.taxCents).toBe(taxCents);
    if (!commission) continue;
    const { feeCents, feeReducedCents, ...fields } = commission;
    expect(earned).toMatchObject({
      partnerId: partners[link],
      ...fields,
      terms,
      platformFee: { amountCents: feeCents, reducedCents: feeReducedCents, currency },
    });
  }
}

type Amounts = Record<string, Record<string, number>>;

/** The model's sums. @param link restricts them to this link, or to its partner */
function sumsOf({ clicks, customers, sales }: ReferenceModel, link?: number, isOfPartner = false) {
  const came = ({ firstLink }: { firstLink?: number }) => link === undefined || firstLink === link;
  const isCounted = (of: { link: number; firstLink?: number }) => (isOfPartner ? of.link === link : came(of));
  const amounts: Amounts = { USD: {}, EUR: {} };
  const add = (currency: string, field: string, cents: number) => {
    amounts[currency]![field] = (amounts[currency]![field] ?? 0) + cents;
  };
  const matching = [...sales.values()].filter(isCounted);
  for (const { amountCents, currency, refundedCents, commission } of matching) {
    add(currency, 'revenueCents', amountCents);
    add(currency, 'refundedCents', refundedCents);
    if (!commission) continue;
    add(commission.currency, 'commissionCents', commission.amountCents - commission.deductedCents);
    add(currency, 'platformFeeCents', commission.feeCents - commission.feeReducedCents);
  }
  // A lead comes before any code could have moved its customer.
  for (const { leadCents = 0 } of [...customers.values()].filter(came)) add('USD', 'commissionCents', leadCents);
  return {
    clicks: link === undefined ? clicks[0]! + clicks[1]! : clicks[link]!,
    leads: [...customers.values()].filter((customer) => customer.leadState === 'settled' && came(customer)).length,
    sales: matching.length,
    amounts: withoutZeros(amounts),
  };
}

type Counts = Awaited<ReturnType<typeof countsOf>>;

/** The sum of several days' counters. */
function totalOf(rows: Iterable<Counts>) {
  const total = { clicks: 0, leads: 0, sales: 0, amounts: {} as Amounts };
  for (const { clicks: clicked, leads: led, sales: bought, amounts } of rows) {
    total.clicks += clicked;
    total.leads += led;
    total.sales += bought;
    for (const [currency, cents] of Object.entries(amounts)) {
      const sum = (total.amounts[currency] ??= {});
      for (const [field, by] of Object.entries(cents)) sum[field] = (sum[field] ?? 0) + Number(by);
    }
  }
  return { ...total, amounts: withoutZeros(total.amounts) };
}

const withoutZeros = (amounts: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts)
      .map(([currency, cents]) => [currency, Object.fromEntries(Object.entries(cents).filter(([, sum]) => sum !== 0))])
      .filter(([, cents]) => Object.keys(cents!).length > 0),
  );

async function expectSameCounters({ model, programId, links }: Sides): Promise<void> {
  await counted(world);
  await expectSums({ of: 'program', programId }, sumsOf(model));
  for (const [link, { partner, shortLink }] of links.entries()) {
    await expectSums({ of: 'partner', programId, partnerId: partner.id }, sumsOf(model, link, true));
    await expectSums({ of: 'link', shortLink }, sumsOf(model, link));
  }
}

/** Expects equal counts of each code: payments with the code, and sales attributed to it. */
async function expectSameCodes({ model, programId }: Sides): Promise<void> {
  const sales = [...model.sales.values()];
  for (const [index, code] of ['first', 'second', 'off'].entries()) {
    const carried = sales.filter((one) => one.code === index);
    const { counts } = await findCounter(world.deps().table, { of: 'code', programId, code });
    expect([counts.redemptions ?? 0, counts.sales ?? 0]).toEqual([
      carried.length,
      carried.filter(({ byCode }) => byCode).length,
    ]);
  }
}

/** Expects that each counter has its totals, and that they equal the sums of its days. */
async function expectSums(counter: Counter, sums: ReturnType<typeof sumsOf>): Promise<void> {
  const { table } = world.deps();
  expect(totalOf([await countsOf(table, counter)])).toEqual(sums);
  const period = { from: '2026-01-01', to: '2035-12-31' };
  expect(totalOf([await countsOf(table, counter, period)])).toEqual(sums);
  expect(totalOf((await countsByDay(table, counter, period.from, period.to)).values())).toEqual(sums);
}

const sizes = [
  { lives: 'a few', numRuns: 2, tags: [] },
  { lives: 'many', numRuns: 30, tags: ['deep'] },
];

describe('random events in random order: replies, table and counters match the reference model', () => {
  for (const { lives, numRuns, tags } of sizes)
    it(`in ${lives} histories`, { tags }, async () => {
      await fc.assert(
        fc.asyncProperty(anySettings, anyProgram, async (wanted, commands) => {
          const sides = await lived(wanted, commands);
          expect(await storedCustomers(sides)).toEqual(sides.model.customers);
          await expectSameSales(sides);
          await expectSameCounters(sides);
          await expectSameCodes(sides);
        }),
        { numRuns },
      );
      await expectNothingHalfWritten(world);
    });
});

// Random histories rarely combine one customer's click with another customer's key.
describe('a sale with a customer key that only a browser sent', () => {
  const wanted: Settings = {
    commissionType: 'percent',
    commissionRate: 20,
    durationMonths: 0,
    termsApply: 'current',
    commissionBase: 'gross',
    attributionWindowDays: 1,
    leadAuth: 'browser_allowed',
    leadCommissionCents: 0,
    codePrecedence: 'link_first',
  };
  const lives: { outcome: string; after: Command[]; linksOfSales: number[] }[] = [
    {
      outcome: 'to the second link’s customer after a sale names the key with that customer’s click',
      after: [saleOf(SECOND, 0), saleOf(KEY_ALONE, 1)],
      linksOfSales: [1, 1],
    },
    {
      outcome: 'to the second link’s customer after a server’s lead names the key with that customer’s click',
      after: [leadOf(SECOND, 'current'), saleOf(KEY_ALONE, 0)],
      linksOfSales: [1],
    },
    {
      outcome: 'to the first link’s customer if the second click’s window is over when a sale names both',
      after: [{ do: 'wait', hours: 25 }, saleOf(SECOND, 0), saleOf(KEY_ALONE, 1)],
      linksOfSales: [0],
    },
    {
      outcome: 'to the first link’s customer if only a browser names the key with the second click',
      after: [leadOf(SECOND, 'none'), saleOf(KEY_ALONE, 0)],
      linksOfSales: [0],
    },
    {
      outcome: 'to the first link’s customer once a sale has named the key with that customer’s click',
      after: [saleOf(FIRST, 0), saleOf(SECOND, 1)],
      linksOfSales: [0, 0],
    },
    {
      outcome: 'to no customer once the program is server_required',
      after: [{ do: 'policy', leadAuth: 'server_required' }, saleOf(KEY_ALONE, 0)],
      linksOfSales: [],
    },
    {
      outcome: 'to the second link’s customer after a sale names both in a server_required program',
      after: [{ do: 'policy', leadAuth: 'server_required' }, saleOf(SECOND, 0), saleOf(KEY_ALONE, 1)],
      linksOfSales: [1, 1],
    },
    {
      outcome: 'to the first link’s customer after a server’s lead confirms the key in a server_required program',
      after: [{ do: 'policy', leadAuth: 'server_required' }, leadOf(FIRST, 'current'), saleOf(KEY_ALONE, 0)],
      linksOfSales: [0],
    },
    {
      outcome: 'to no customer after the server sends another key with the first click in a server_required program',
      after: [
        { do: 'policy', leadAuth: 'server_required' },
        saleOf({ customer: 0, customerKey: 1 }, 0),
        saleOf(KEY_ALONE, 1),
      ],
      linksOfSales: [0],
    },
    {
      outcome: 'to the first link’s customer, as are two other people who pay with the same click',
      after: [saleOf(FIRST, 0), saleOf({ customer: 0, customerKey: 1 }, 1), saleOf({ customer: 0, customerKey: 2 }, 2)],
      linksOfSales: [0, 0, 0],
    },
    {
      outcome: 'to the first link’s customer if the second click’s customer has another key',
      after: [leadOf({ customer: 1, customerKey: 1 }, 'current'), saleOf(SECOND, 0)],
      linksOfSales: [0],
    },
  ];
  for (const { outcome, after, linksOfSales } of lives)
    it(`is attributed ${outcome}`, async () => {
      const sides = await lived(wanted, [leadOf(FIRST, 'none'), ...after]);
      const { customers, sales } = sides.model;
      expect([...sales.values()].map(({ link }) => link)).toEqual(linksOfSales);
      expect(await storedCustomers(sides)).toEqual(customers);
      await expectSameSales(sides);
    });
});

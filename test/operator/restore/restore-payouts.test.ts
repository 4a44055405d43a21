import { isDeepStrictEqual } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { grantCommission } from '#lib/service/earnings/commissions/grant-commission.ts';
import { operated } from '#test/support/callers/operator.ts';
import { cases, everyNth } from '#test/support/cases/cases.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import { expectPayoutsToAgree, paymentsIn } from '#test/support/payments/payouts-agree.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { cut, isOfPayout, nameOf, rewind, transactionsOf, type Written } from '#test/support/table/cut-transactions.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { storedItems } from '#test/support/table/invariants.ts';

// Each step of a payout is one transaction; each of its items, and each pair of them, is put back to before it.

const DUE = new Date(HOLD_OVER.getTime() + 3_600_000);
const RESTORED = new Date(DUE.getTime() + 60_000);
const LATER = new Date(DUE.getTime() + 3 * 60_000);
const FROZEN = platformError(409, 'Payouts of this workspace are frozen');
const NOTHING = platformError(409, 'No approved commissions to pay out');

let world: World;
let own: OwnedBrand;
const pay = (at: Date) => own.owner.post(`${own.path}/payouts`, {}, { at });
const check = async (): Promise<{ repaired: string[]; unrepaired: string[] }> => {
  const { repaired, unrepaired } = await operated(
    world,
    ['restore', 'check', '--to', RESTORED.toISOString(), '--former-table-lost'],
    RESTORED,
  );
  return { repaired, unrepaired };
};
const commissions = async () =>
  (await storedItems(world)).filter(({ sk }) => sk === 'COMMISSION') as unknown as Commission[];

/** Two partners with two currencies, and a commission that was paid before and is lower now. */
async function twoPartners(): Promise<void> {
  const bo = await anotherPartner(world, own, 'Bo');
  const other = { ...own, ...bo };
  await earned(own, 1, { transaction_id: 'refunded' });
  expect((await pay(HOLD_OVER)).status).toBe(200);
  await refunded(own, { transaction_id: 'refunded', refund_amount_cents: 2450 }, HOLD_OVER);
  await earned(own, 2);
  await earned(own, 2, { currency: 'EUR' });
  await earned(other, 1);
  await earned(other, 1, { currency: 'EUR', amount_cents: 700 });
  await grantCommission(
    world.deps(),
    bo.partner,
    { amountCents: 5_000, currency: 'USD', reason: 'Bonus' },
    'account:1',
  );
}

/** More commissions than two steps of a payout take. */
async function many(): Promise<void> {
  const bo = await anotherPartner(world, own, 'Bo');
  const grant = { amountCents: 100, currency: 'USD', reason: 'Bonus' };
  for (let n = 0; n < 125; n++) {
    await grantCommission(world.deps(), own.partner, { ...grant, amountCents: 100 + n }, 'account:1');
    if (n % 2 === 0) await grantCommission(world.deps(), bo.partner, grant, 'account:1');
  }
}

interface Scene {
  readonly name: string;
  readonly set: () => Promise<void>;
  readonly paid: () => Promise<unknown>;
  /** Which of its transactions is cut. */
  readonly at: number;
}

const broken = async () => {
  const reply = await failing('second write', refused('InternalServerError'), () => pay(DUE));
  expect(reply.status).toBe(500);
};

/** A payout that has paid a sale and is still open when the sale is refunded, so that a later step takes it back. */
async function refundedMeanwhile(): Promise<void> {
  await earned(own, 1, { transaction_id: 'refunded' });
  await many();
  await broken();
  await refunded(own, { transaction_id: 'refunded', refund_amount_cents: 2450 }, DUE);
}

/** All lines of the last payout, which was made before. */
const linesEnd = (ids: (partner: number) => string[]) => async () => {
  const [{ id }] = (await own.owner.get(`${own.path}/payouts`, { at: DUE })).body.data;
  const reply = await own.owner.post(
    `${own.path}/payouts/${id}/lines`,
    { ids: ids(own.partner.id), status: 'void', reason: 'Not sent' },
    { at: DUE },
  );
  expect(reply.body.data).toEqual(ids(own.partner.id).map((line) => ({ id: line, status: 'void', error: null })));
};

const after = (set: () => Promise<void>) => async () => {
  await set();
  expect((await pay(DUE)).status).toBe(200);
};

const scenes: Scene[] = [
  {
    name: 'the transaction that ended two payout lines',
    set: after(twoPartners),
    paid: linesEnd((id) => [`${id}-USD`, `${id}-EUR`]),
    at: 0,
  },
  {
    name: 'the transaction that ended a large payout line',
    set: after(many),
    paid: linesEnd((id) => [`${id}-USD`]),
    at: 0,
  },
  {
    name: 'the first step in which an ended line gives back its amounts',
    set: after(many),
    paid: linesEnd((id) => [`${id}-USD`]),
    at: 1,
  },
  {
    name: 'the last step in which an ended line gives back its amounts',
    set: after(many),
    paid: linesEnd((id) => [`${id}-USD`]),
    at: 2,
  },

  { name: 'a payout of one step', set: twoPartners, paid: () => pay(DUE), at: 0 },
  { name: 'the first step of an interrupted payout', set: many, paid: broken, at: 0 },
  { name: 'the first step of a completed payout', set: many, paid: () => pay(DUE), at: 0 },
  { name: 'the second step of a completed payout', set: many, paid: () => pay(DUE), at: 1 },
  { name: 'the last step of a completed payout', set: many, paid: () => pay(DUE), at: 2 },
  {
    name: 'a step that deducts an amount paid in an earlier step',
    set: refundedMeanwhile,
    paid: () => pay(DUE),
    at: 0,
  },
];

/** Each kind of item; of the commissions of each claim only some, because they are alike. */
function someOf(written: readonly Written[]): Written[] {
  const seen = new Map<string, number>();
  return written.filter(({ key, before }) => {
    // The parties of a statement as they were: without them it shows the present ones.
    if (key.sk.startsWith('PARTIES#')) return false;
    if (key.sk !== 'COMMISSION' || key.pk.startsWith('SALE#') || written.length < 20) return true;
    const partner = String(before?.partnerId);
    seen.set(partner, (seen.get(partner) ?? 0) + 1);
    return seen.get(partner)! <= 2;
  });
}

const pairsOf = <One>(all: readonly One[]): One[][] => all.flatMap((a, at) => all.slice(at + 1).map((b) => [a, b]));

/** Some of a long list in `npm test`, all in the deep tests. */
const some = <One>(all: readonly One[]): One[] => {
  const nth = Math.max(1, Math.round(all.length / cases(all.length)));
  return all.filter((_, at) => at % nth === 0);
};

type Payments = Record<string, number>;

/** The next payout pays what is left, and no payment twice. */
async function expectPaidOnce(payments: Payments): Promise<void> {
  const next = await pay(LATER);
  expect([undefined, NOTHING.error.message]).toContain(next.body.error?.message);
  await expectPayoutsToAgree(world);
  expect(await paymentsIn(world)).toMatchObject(payments);
  const amounts = (await commissions()).map(({ id, amountCents, deductedCents, paidOutCents }) => [
    { id, paidCents: paidOutCents },
    { id, paidCents: amountCents - deductedCents },
  ]);
  expect(amounts.map(([paid]) => paid)).toEqual(amounts.map(([, due]) => due));
}

async function expectRepaired(lost: readonly Written[], payments: Payments): Promise<void> {
  await cut(world, lost);
  const { repaired, unrepaired } = await check();
  expect(unrepaired).toEqual([]);
  // A mail that is lost is not sent again.
  expect(repaired.length > 0).toBe(lost.some(({ key }) => key.sk !== 'MAIL' && key.sk !== 'MAILING'));
  expect(await check()).toEqual({ repaired: [], unrepaired: [] });
  await expectPaidOnce(payments);
}

/** Nothing is paid until a person has put the claim back, by which the commission is then paid. */
async function expectHeld(lost: readonly Written[], claim: Record<string, unknown>, payments: Payments): Promise<void> {
  const { workspaceId } = own.program;
  await cut(world, lost);
  const { unrepaired } = await check();
  expect(unrepaired).toEqual([
    expect.stringMatching(
      new RegExp(
        `^payout ${String(claim.payoutId)}: (?:it paid \\d+ cents (?:to partner ${String(claim.partnerId)} )?in ${String(claim.currency)} |a line of it failed)`,
      ),
    ),
    expect.stringMatching(`^workspace ${workspaceId}: its payouts are frozen`),
  ]);
  expect(await check()).toEqual({ repaired: [], unrepaired });
  expect((await pay(LATER)).body).toEqual(FROZEN);
  await world.replace(claim);
  expect(await check()).toEqual({
    repaired: [
      expect.stringMatching(/^(?:commission \d+: paid by payout \d+|payout \d+: what line .+ is given back)$/),
    ],
    unrepaired: [],
  });
  await operated(world, `payouts thaw --workspace ${workspaceId}`, RESTORED);
  await expectPaidOnce(payments);
}

for (const [index, { name, set, paid, at }] of scenes.entries()) {
  describe(`after a restore that loses items of ${name},`, everyNth(3, index), () => {
    let written: Written[];
    let whole: Record<string, unknown>[];
    let transactions: Written[][];
    let payments: Payments;
    beforeAll(async () => {
      world = await openWorld();
      own = await ownedBrand(world);
      await set();
      transactions = await transactionsOf(world, isOfPayout, paid);
      whole = await storedItems(world);
      const last = new Map(whole.map((item) => [nameOf(item), item]));
      // The mark of a made payout is gone, as before its first step.
      written = someOf(transactions[at]!).filter(
        ({ key, before }) => !isDeepStrictEqual(last.get(nameOf(key)), before),
      );
      payments = await paymentsIn(world);
    });
    beforeEach(() => rewind(world, whole));

    it('`restore check` changes nothing if in fact all items are there', async () => {
      await expectPayoutsToAgree(world);
      expect(await check()).toEqual({ repaired: [], unrepaired: [] });
    });

    it('`restore check` records a completely lost payout again once its CLAIM or LINE items are copied from the former table', async () => {
      const claims = whole.filter(
        ({ pk, sk }) => String(pk).startsWith('PAYOUT#') && /^(?:CLAIM|LINE)#/.test(String(sk)),
      );
      for (const step of transactions.toReversed()) await cut(world, step);
      const gone = await check();
      for (const claim of claims) await world.replace(claim);
      const { repaired, unrepaired } = await check();
      expect([gone, unrepaired, repaired.length > 0]).toEqual([{ repaired: [], unrepaired: [] }, [], true]);
      await expectPaidOnce(payments);
    });

    it('`restore check` restores any single lost item', async () => {
      expect(written.length).toBeGreaterThan(1);
      for (const one of written) {
        await rewind(world, whole);
        await expectRepaired([one], payments);
      }
    });

    it('`restore check` restores any two lost items, but freezes payouts if these are a claim and its only commission', async () => {
      const pairs = some(pairsOf(written));
      expect(pairs.length).toBeGreaterThan(0);
      for (const pair of pairs) {
        await rewind(world, whole);
        const claim = pair.find(({ key }) => /^(?:CLAIM|LINE)#/.test(key.sk));
        const commission = pair.find(({ key }) => key.sk === 'COMMISSION');
        if (claim && commission && isOf(claim, commission) && tellsOnly(claim)) {
          await expectHeld(
            pair,
            whole.find((item) => nameOf(item) === nameOf(claim.key))!,
            payments,
          );
        } else await expectRepaired(pair, payments);
      }
    });
  });
}

/** The claim, or line, of a commission. */
const isOf = ({ key: { sk } }: Written, { before }: Written): boolean => {
  const { partnerId, currency } = before ?? {};
  return (
    sk.includes(`#${String(partnerId)}-${String(currency)}#`) || sk === lineName(String(partnerId), String(currency))
  );
};
const lineName = (partnerId: string, currency: string): string => `LINE#${partnerId.padStart(16, '0')}#${currency}`;

/** Whether nothing else tells what the item says: each commission of a line that ended shows that. */
const tellsOnly = ({ before }: Written): boolean => before === undefined || before.commissions === 1;

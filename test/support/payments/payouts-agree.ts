import { expect } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionListing } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import { paymentsOf } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { isReturned } from '#lib/service/earnings/commissions/returned-commission.ts';
import { countsOf } from '#lib/service/earnings/lines/line-counts.ts';
import { isStanding, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { groupOf, type Payout, type PayoutClaims, sumsOf, sumsOfItems } from '#lib/service/earnings/payouts/payout.ts';
import { type Claiming, claimIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { storedItems } from '#test/support/table/invariants.ts';
import type { World } from '#test/support/programs/world.ts';

type Item = Record<string, unknown>;

const isCommission = ({ sk }: Item) => sk === 'COMMISSION';
const isPayout = ({ pk, sk }: Item) => String(pk).startsWith('PAYOUT#') && pk === sk;
const isLine = ({ sk }: Item) => String(sk).startsWith('LINE#');
const isClaim = ({ sk }: Item) => String(sk).startsWith('CLAIM#');
const isCounts = ({ sk }: Item) => sk === 'LINE_COUNTS';

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/**
 * Reads from the commissions' histories how much each payout paid for each commission.
 * @returns cents, by the ids of payout and commission
 */
export async function paymentsIn(world: World): Promise<Record<string, number>> {
  const paid: Record<string, number> = {};
  for (const commission of (await storedItems(world)).filter(isCommission) as unknown as Commission[]) {
    for (const { payoutId, amountCents } of paymentsOf(commission)) {
      const name = `payout ${payoutId} commission ${commission.id}`;
      paid[name] = (paid[name] ?? 0) + amountCents;
    }
  }
  return paid;
}

const inOrder = (all: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(all).map(([name, ids]) => [name, ids.toSorted((a, b) => a - b)]));

interface Agreement {
  /** Whether there may be failed or void lines that have not returned all of their amounts yet. */
  readonly mayReturn?: boolean;
}

/**
 * Expects that all items about payouts agree: payouts, lines, claims, commissions, their lists, the counts of lines,
 * and the mark of the open payout. The paid amount of a commission must always be the sum of what lines pay of it. A
 * failed or void line counts until it has returned the amount.
 */
export async function expectPayoutsToAgree(world: World, { mayReturn = false }: Agreement = {}): Promise<void> {
  const items = await storedItems(world);
  const claimed: Record<string, number[]> = {};
  const claims = new Map<string, PayoutClaims[]>();
  for (const item of items.filter((one) => isClaim(one) || isLine(one))) {
    const claim = claimIn(item as unknown as Claiming);
    if (!claim) continue;
    const payoutId = item['payoutId'] as number;
    (claimed[`payout ${payoutId}`] ??= []).push(...claim.commissionIds);
    const name = `${payoutId} ${groupOf(claim)}`;
    claims.set(name, [...(claims.get(name) ?? []), claim]);
  }
  const commissions = items.filter(isCommission) as unknown as Commission[];
  const lines = items.filter(isLine) as unknown as PayoutLine[];
  const byName = new Map(lines.map((line) => [`${line.payoutId} ${groupOf(line)}`, line]));
  const paid: Record<string, number[]> = {};
  const paidCents = new Map<string, number>();
  for (const commission of commissions) {
    const payments = paymentsOf(commission);
    const standing = payments.filter(({ payoutId }) => !isReturned(commission, payoutId));
    expect(commission.paidOutCents ?? 0).toBe(sum(standing.map(({ amountCents }) => amountCents)));
    const held = Map.groupBy(standing, ({ payoutId }) => payoutId);
    const oldest = [...held].find(([, rows]) => sum(rows.map(({ amountCents }) => amountCents)) !== 0);
    if (payments.length > standing.length) {
      expect([commission.payoutId, commission.paidAt]).toEqual([oldest?.[0], oldest?.[1][0]!.at]);
      expect([commission.id, commission.status === 'paid']).toEqual([
        commission.id,
        commission.status === 'paid' && oldest !== undefined,
      ]);
    } else {
      expect(commission.payoutId).toBe(payments[0]?.payoutId);
    }
    expect(commission).toMatchObject(JSON.parse(JSON.stringify(commissionListing(commission))) as object);
    for (const { payoutId, amountCents } of payments) {
      (paid[`payout ${payoutId}`] ??= []).push(commission.id);
      const name = `${payoutId} ${groupOf(commission)}`;
      paidCents.set(name, (paidCents.get(name) ?? 0) + amountCents);
      const line = byName.get(name);
      const isBack = isReturned(commission, payoutId);
      if (line && isStanding(line)) expect([name, isBack]).toEqual([name, false]);
      if (line && !isStanding(line) && !line.returning) expect([name, isBack]).toEqual([name, true]);
    }
  }
  expect(inOrder(claimed)).toEqual(inOrder(paid));
  for (const [name, of] of claims) {
    const amountCents = sum(of.map((claim) => claim.amountCents));
    expect([name, paidCents.get(name)]).toEqual([name, amountCents]);
    const line = byName.get(name);
    const count = of.flatMap(({ commissionIds }) => commissionIds).length;
    if (line) expect([name, line.amountCents, line.commissions]).toEqual([name, amountCents, count]);
  }
  const open: number[] = [];
  for (const item of items.filter(isPayout)) {
    const payout = item as unknown as Payout;
    const { id, status, createdAt, programId } = payout;
    expect(item).toMatchObject({ gsi1pk: `PROGRAM#${programId}#PAYOUTS`, gsi1sk: `${createdAt}#${id}` });
    if (status === 'open') open.push(id);
    const own = lines.filter(({ payoutId }) => payoutId === id);
    if (!payout.items) expect(sumsOf(payout)).toEqual(sumsOfItems(own));
    else {
      const claimedItems = [...claims]
        .filter(([name]) => name.startsWith(`${id} `))
        .map(([, of]) => ({
          partnerId: of[0]!.partnerId,
          currency: of[0]!.currency,
          amountCents: sum(of.map(({ amountCents }) => amountCents)),
          commissions: of.flatMap(({ commissionIds }) => commissionIds).length,
        }));
      expect(sumsOf(payout)).toEqual(sumsOfItems(claimedItems));
    }
    const counts = items.find((one) => isCounts(one) && one['pk'] === item['pk']) ?? {};
    const { pk: _pk, sk: _sk, ...stored } = counts;
    const nonzero = Object.fromEntries(Object.entries(stored).filter(([, count]) => count !== 0));
    expect(nonzero).toEqual(countsOf(own));
  }
  if (!mayReturn) expect(lines.filter(({ returning }) => returning)).toEqual([]);
  expect(items.filter(({ sk }) => sk === 'OPEN_PAYOUT').map(({ payoutId }) => payoutId)).toEqual(open);
}

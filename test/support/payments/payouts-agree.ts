import { expect } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionListing } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import { storedItems } from '#test/support/table/invariants.ts';
import type { World } from '#test/support/programs/world.ts';

type Item = Record<string, unknown>;

const isCommission = ({ sk }: Item) => sk === 'COMMISSION';
const isPayout = ({ pk, sk }: Item) => String(pk).startsWith('PAYOUT#') && pk === sk;
const isClaim = ({ sk }: Item) => String(sk).startsWith('CLAIM#');

/** What each payout has paid for each commission by the commission's history: `payout commission` to cents. */
export async function paymentsIn(world: World): Promise<Record<string, number>> {
  const paid: Record<string, number> = {};
  for (const { id, history } of (await storedItems(world)).filter(isCommission) as unknown as Commission[]) {
    for (const { action, reason, amountCents } of history) {
      if (action !== 'paid' && action !== 'adjusted') continue;
      const name = `${reason} commission ${id}`;
      paid[name] = (paid[name] ?? 0) + amountCents;
    }
  }
  return paid;
}

const inOrder = (all: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(all).map(([name, ids]) => [name, ids.toSorted((a, b) => a - b)]));

/** Payouts, claims, commissions, their lists and the mark of the open payout say the same. */
export async function expectPayoutsToAgree(world: World): Promise<void> {
  const items = await storedItems(world);
  const claimed: Record<string, number[]> = {};
  const claims = new Map<string, PayoutClaims[]>();
  for (const item of items.filter(isClaim)) {
    const claim = item as unknown as PayoutClaims & { readonly payoutId: number };
    const { payoutId, partnerId, currency, commissionIds } = claim;
    (claimed[`payout ${payoutId}`] ??= []).push(...commissionIds);
    const group = `${payoutId} ${partnerId} ${currency}`;
    claims.set(group, [...(claims.get(group) ?? []), claim]);
  }
  const paid: Record<string, number[]> = {};
  const paidCents = new Map<string, number>();
  for (const item of items.filter(isCommission)) {
    const commission = item as unknown as Commission;
    const {
      id,
      partnerId,
      currency,
      paidOutCents = 0,
      history,
      payoutId,
      gsi1pk,
      gsi1sk,
      gsi2pk,
      gsi2sk,
    } = {
      ...commission,
      ...(item as { gsi1pk?: string; gsi1sk?: string; gsi2pk?: string; gsi2sk?: string }),
    };
    const payments = history.filter(({ action }) => action === 'paid' || action === 'adjusted');
    expect(payments.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(paidOutCents);
    expect(payoutId && `payout ${payoutId}`).toBe(payments[0]?.reason ?? undefined);
    expect({ gsi1pk, gsi1sk, gsi2pk, gsi2sk }).toEqual(commissionListing(commission));
    for (const { reason, amountCents } of payments) {
      (paid[reason!] ??= []).push(id);
      const group = `${reason!.slice('payout '.length)} ${partnerId} ${currency}`;
      paidCents.set(group, (paidCents.get(group) ?? 0) + amountCents);
    }
  }
  expect(inOrder(claimed)).toEqual(inOrder(paid));
  const shown = new Map<string, object>();
  const open: number[] = [];
  for (const item of items.filter(isPayout)) {
    const { id, status, items: amounts, createdAt, programId } = item as unknown as Payout;
    expect(item).toMatchObject({ gsi1pk: `PROGRAM#${programId}#PAYOUTS`, gsi1sk: `${createdAt}#${id}` });
    if (status === 'open') open.push(id);
    for (const { partnerId, currency, amountCents, commissions } of amounts) {
      shown.set(`${id} ${partnerId} ${currency}`, { amountCents, commissions });
    }
  }
  const sums = [...claims].map(([group, of]) => {
    const amountCents = of.reduce((sum, one) => sum + one.amountCents, 0);
    expect(paidCents.get(group)).toBe(amountCents);
    return [group, { amountCents, commissions: of.flatMap(({ commissionIds }) => commissionIds).length }] as const;
  });
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(sums));
  expect(items.filter(({ sk }) => sk === 'OPEN_PAYOUT').map(({ payoutId }) => payoutId)).toEqual(open);
}

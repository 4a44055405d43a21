import { expect, it } from 'vitest';
import { newManualCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import {
  approved,
  dueCents,
  paidInPayoutCents,
  paidOut,
  rejected,
  reopened,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { unpaid } from '#lib/service/earnings/commissions/returned-commission.ts';

const at = new Date('2026-11-20T15:00:00.000Z');
const change = { actor: 'account:7', at } as const;

it('a payout line gives back only what it paid, even if people gave the name of its payout as their reason', () => {
  const reason = 'payout 9';
  const granted = newManualCommission(
    { id: 1, programId: 3, partnerId: 5 },
    { amountCents: 500, currency: 'USD', reason },
    change.actor,
    at,
  );
  const again = reopened(rejected(reopened(granted, reason, change), reason, change), reason, change);
  const paid = paidOut(approved(again, change), 9, change);
  expect(paidInPayoutCents(paid, 9)).toBe(500);
  const returned = unpaid(paid, 9, 'Wrong account', change);
  expect(returned).toMatchObject({ status: 'approved', paidOutCents: 0 });
  expect(dueCents(returned)).toBe(500);
});

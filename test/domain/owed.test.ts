import { expect, it } from 'vitest';
import { owedBy } from '#lib/domain/owed.ts';

it('includes what a payout would contain in a currency without other dues', () => {
  const owed = owedBy({ autoApprove: true }, [], { EUR: 500 }, new Date('2026-11-20T15:00:00.000Z'));
  expect(owed).toEqual({
    EUR: { pendingCents: 0, approvedCents: 0, heldCents: 0, dueNowCents: 500, byDate: [] },
  });
});

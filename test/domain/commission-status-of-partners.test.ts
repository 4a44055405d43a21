import { expect, it } from 'vitest';
import { commissionStatuses } from '#lib/domain/commission.ts';
import { partnersCommissionStatuses, statusFromPartner } from '#lib/domain/commission-lifecycle.ts';

it('partners read held commissions as in review, and find them by that', () => {
  expect(partnersCommissionStatuses).toEqual(['in_review', 'pending', 'approved', 'paid', 'rejected', 'reversed']);
  expect(partnersCommissionStatuses.map(statusFromPartner)).toEqual(commissionStatuses);
});

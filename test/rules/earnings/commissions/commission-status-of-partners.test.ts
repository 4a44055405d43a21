import { expect, it } from 'vitest';
import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import {
  partnersCommissionStatuses,
  statusFromPartner,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';

it('partners read held commissions as in review, and find them by that', () => {
  expect(partnersCommissionStatuses).toEqual(['in_review', 'pending', 'approved', 'paid', 'rejected', 'reversed']);
  expect(partnersCommissionStatuses.map(statusFromPartner)).toEqual(commissionStatuses);
});

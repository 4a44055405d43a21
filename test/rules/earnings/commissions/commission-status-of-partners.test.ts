import { expect, it } from 'vitest';
import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import {
  partnersCommissionStatuses,
  statusFromPartner,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';

it('partners see commissions with the status held as in_review, and can filter by in_review', () => {
  expect(partnersCommissionStatuses).toEqual(['in_review', 'pending', 'approved', 'paid', 'rejected', 'reversed']);
  expect(partnersCommissionStatuses.map(statusFromPartner)).toEqual(commissionStatuses);
});

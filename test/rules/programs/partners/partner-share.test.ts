import { expect, it } from 'vitest';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { shownShare } from '#lib/service/programs/partners/partner-share.ts';
import { sealedDetails } from '#lib/service/programs/payout-details/payout-details.ts';

const at = '2026-11-20T15:00:00.000Z';
const details = sealedDetails({ method: 'paypal', masked: 'a***@example.com', sealed: 'x', updatedAt: at });
const added = { status: 'active', accountId: 7 } as Partner;

it.each<[string, Partner, boolean, boolean]>([
  ['who has accepted are shown to the brand', { ...added, joinedAt: at }, false, true],
  ['who has not accepted are not shown to the brand', added, false, false],
  ['who has accepted only in another program of the workspace are not shown to the brand', added, true, false],
  [
    'who was removed and is a partner of another program are shown to the brand',
    { ...added, status: 'removed', joinedAt: at },
    true,
    true,
  ],
  [
    'who was restored and is a partner of another program are not shown to the brand',
    { ...added, restoredAt: at },
    true,
    false,
  ],
  ['who was removed are not shown to the brand', { ...added, status: 'removed', joinedAt: at }, false, false],
  ['without an account are not shown to the brand', { ...added, accountId: undefined, joinedAt: at }, true, false],
])('the payout details of a partner %s', (_, partner, isSharedElsewhere, isShared) => {
  expect(shownShare(partner, { details, isSharedElsewhere })).toEqual({
    isShared,
    details: isShared ? details : undefined,
  });
});

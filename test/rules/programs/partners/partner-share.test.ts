import { expect, it } from 'vitest';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { shownShare } from '#lib/service/programs/partners/partner-share.ts';
import { sealedDetails } from '#lib/service/programs/payout-details/payout-details.ts';

const at = '2026-11-20T15:00:00.000Z';
const details = sealedDetails({ method: 'paypal', masked: 'a***@example.com', sealed: 'x', updatedAt: at });
const added = { status: 'active', accountId: 7 } as Partner;

it.each<[string, Partner, boolean, boolean]>([
  ['who has accepted', { ...added, joinedAt: at }, false, true],
  ['who has not accepted', added, false, false],
  ['who has accepted only elsewhere in the workspace', added, true, false],
  ['who was removed and is a partner elsewhere', { ...added, status: 'removed', joinedAt: at }, true, true],
  ['who was restored and is a partner elsewhere', { ...added, restoredAt: at }, true, false],
  ['who was removed', { ...added, status: 'removed', joinedAt: at }, false, false],
  ['without account', { ...added, accountId: undefined, joinedAt: at }, true, false],
])('the brand’s access to the account of a partner %s', (_, partner, isSharedElsewhere, isShared) => {
  expect(shownShare(partner, { details, isSharedElsewhere })).toEqual({
    isShared,
    details: isShared ? details : undefined,
  });
});

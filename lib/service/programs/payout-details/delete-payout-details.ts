import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { DeletedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { partnersOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findStoredDetails, payoutDetailsWrite } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { endsOfShares, forgottenDetailsWrite } from '#lib/service/programs/payout-details/shared-details-items.ts';
import {
  changedDetailsMail,
  changedDetailsRows,
  sharedWith,
} from '#lib/service/programs/payout-details/changed-details-writes.ts';
import { checkAccountIsOpen } from '#lib/service/people/accounts/check-account-is-open.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Deletes an account's payout details, including the copies that were stored when the person stopped sharing them with
 * a workspace. A payout hold continues. If the person sets details again later, they count as changed, as after any
 * change. A repeated call changes nothing.
 */
export function deletePayoutDetails(deps: Deps, account: Account): Promise<void> {
  const { table, now } = deps;
  const { id: accountId } = account;
  const fact = deps.random.auditId();
  return retryOnConflict(deps, async () => {
    await checkAccountIsOpen(deps, accountId);
    const [former, ends] = await Promise.all([findStoredDetails(table, accountId), endsOfShares(table, accountId)]);
    const forgotten = ends.filter(({ details }) => details !== null).map(forgottenDetailsWrite);
    if (former?.sealed === undefined) {
      if (forgotten.length > 0) await table.transactLong(forgotten, []);
      return;
    }
    const change = { before: former, fact };
    const workspaces = await sharedWith(deps, accountId, await partnersOfAccount(table, accountId));
    const deleted: DeletedPayoutDetails = { deletedAt: now.toISOString(), heldUntil: former.heldUntil };
    await table.transactLong(
      [
        payoutDetailsWrite(accountId, former, deleted),
        openAccountCheck(accountId),
        ...changedDetailsMail(deps, account, change),
        ...(await changedDetailsRows(deps, workspaces, change)),
        ...forgotten,
      ],
      [],
    );
  });
}

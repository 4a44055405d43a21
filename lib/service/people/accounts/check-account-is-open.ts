import { accountGone } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';

/**
 * Refuses a change while the account is being closed, with the same message as if there were no account.
 * @throws Refusal
 */
export async function checkAccountIsOpen({ table }: Pick<Deps, 'table'>, accountId: number): Promise<void> {
  const account = await findAccount(table, accountId);
  if (!account || account.closingAt !== undefined) throw accountGone();
}

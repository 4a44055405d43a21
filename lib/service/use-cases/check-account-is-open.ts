import { accountGone } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAccount } from '#lib/service/store/accounts.ts';

/** Whoever changes something while the account is being closed finds it gone. @throws Refusal */
export async function checkAccountIsOpen({ table }: Pick<Deps, 'table'>, accountId: number): Promise<void> {
  const account = await findAccount(table, accountId);
  if (!account || account.closingAt !== undefined) throw accountGone();
}

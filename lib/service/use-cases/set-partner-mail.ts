import type { Account } from '#lib/domain/account.ts';
import type { Deps } from '#lib/service/deps.ts';
import { markPartnerMail } from '#lib/service/store/accounts.ts';

/** Whether a person wants mail as a partner. */
export async function setPartnerMail({ table }: Deps, { id }: Account, wantsMail: boolean): Promise<void> {
  await markPartnerMail(table, id, wantsMail);
}

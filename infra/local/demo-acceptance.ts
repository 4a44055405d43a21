import { localIdentity } from '#infra/local/local-identity.ts';
import type { Account } from '#lib/domain/account.ts';
import { writtenDownActor } from '#lib/domain/audit.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartnerOfAccount } from '#lib/service/store/partner-accounts.ts';
import { acceptPartnership } from '#lib/service/use-cases/accept-partnership.ts';
import { matchPartners } from '#lib/service/use-cases/match-partners.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';
import { signInOwn } from '#lib/service/use-cases/sign-in.ts';

/** Has a person whom the demo's brand has added sign in and accept. Repeating it changes nothing. */
export async function acceptedBy(
  deps: Deps,
  programId: number,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<Account> {
  const { issuer = '' } = deps.config.openId;
  const account = await signInOwn(deps, localIdentity(issuer, email, name));
  await matchPartners(deps, account);
  deps.table.forget();
  const pointer = await findPartnerOfAccount(deps.table, account.id, programId);
  const partner = await partnerOf(deps, programId, pointer?.partnerId);
  await acceptPartnership({ ...deps, actor: writtenDownActor(partner) }, partner, undefined);
  return account;
}

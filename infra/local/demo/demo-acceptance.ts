import { localIdentity } from '#infra/local/identity/local-identity.ts';
import type { Account } from '#lib/service/ground/addresses/account.ts';
import { writtenDownActor } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { acceptPartnership } from '#lib/service/programs/joining/accept-partnership.ts';
import { matchPartners } from '#lib/service/programs/joining/match-partners.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';

/**
 * Signs in a person whom a brand of the demo has added as a partner, and accepts the partnership on the person's
 * behalf. Calling it again changes nothing.
 */
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

import type { Identity } from '#lib/domain/account.ts';
import { idTokenInvalid } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { verifiedIdentity } from '#lib/identity.ts';

/** The person an `id_token` names. Imported only by the functions that sign people in: it brings the JWT library. @throws Refusal */
export async function signedInAs(deps: Deps, idToken: string): Promise<Identity> {
  const identity = await verifiedIdentity(deps, idToken);
  if (!identity) throw idTokenInvalid();
  return identity;
}

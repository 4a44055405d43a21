import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { refusalLinkUnknown } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { putBlockedSender } from '#lib/service/programs/invitations/blocked-senders-items.ts';
import { findRefusable } from '#lib/service/people/mail/mails-items.ts';

/**
 * Sends the person who did not know the sender no further mails of the workspace. Its brands see nothing of it: an invitation is
 * recorded and counted as ever, and no mail goes out.
 * @throws Refusal when no mail has this link, or one of long ago
 */
export async function blockSender({ table, now }: Pick<Deps, 'table' | 'now'>, token: string): Promise<void> {
  const refusable = await findRefusable(table, sha256(token));
  if (refusable?.senderId === undefined) throw refusalLinkUnknown();
  await putBlockedSender(table, refusable.email, refusable.senderId, now.toISOString());
}

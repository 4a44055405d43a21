import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { refusalLinkUnknown } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { putBlockedSender } from '#lib/service/programs/invitations/blocked-senders-items.ts';
import { findRefusable } from '#lib/service/people/mail/mails-items.ts';

/**
 * Blocks further mails of the workspace to a person who did not know the sender. The workspace's brands cannot notice
 * the block: an invitation is recorded and counted as usual, but no mail is sent.
 * @throws Refusal when the link is unknown or too old
 */
export async function blockSender({ table, now }: Pick<Deps, 'table' | 'now'>, token: string): Promise<void> {
  const refusable = await findRefusable(table, sha256(token));
  if (refusable?.senderId === undefined) throw refusalLinkUnknown();
  await putBlockedSender(table, refusable.email, refusable.senderId, now.toISOString());
}

import { sha256 } from '#lib/domain/credential.ts';
import { refusalLinkUnknown } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { putBlockedSender } from '#lib/service/store/blocked-senders.ts';
import { findRefusable } from '#lib/service/store/mails.ts';

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

import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

// The key of a block. It contains a hash of the mailbox, so the block applies to every spelling of the address.

const keyOf = (email: string, workspaceId: number) => keys.blockedSender(sha256(mailboxOf(email)), workspaceId);

export const isSenderBlocked = async (table: Table, email: string, workspaceId: number): Promise<boolean> =>
  (await table.get(keyOf(email, workspaceId))) !== undefined;

/** Blocks a sender. If the sender is already blocked, the date of the first block stays. */
export const putBlockedSender = (
  table: Table,
  email: string,
  workspaceId: number,
  blockedAt: string,
): Promise<unknown> => table.update(keyOf(email, workspaceId), { setOnce: { blockedAt } });

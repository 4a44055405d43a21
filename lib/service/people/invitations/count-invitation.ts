import { dayOf } from '#lib/service/ground/values/day.ts';
import {
  checkInvitedPerson,
  checkRecipients,
  countedInvitations,
  countedUntilSeconds,
  isNewRecipient,
  mostRecipients,
} from '#lib/service/people/invitations/invitation-limits.ts';
import { isInvitationLimit, noWorkspace } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findAcceptedCount,
  findRecipientCount,
  findSentInvitations,
  recipientWrite,
  sentInvitationsWrite,
} from '#lib/service/people/invitations/sent-invitations-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The inviting program, or only its workspace for an invitation of a member. */
interface Inviting {
  /** The program's id. */
  readonly id?: number;
  readonly workspaceId: number;
}

/**
 * Writes that count an invitation to this address. The writes belong in the transaction of the invitation, so that a
 * refused invitation is neither counted nor sent. An address that has blocked the workspace counts like any other, so
 * that the workspace cannot detect the block.
 * @throws Refusal when the person, or the workspace, has reached a limit
 */
export async function countInvitation(
  { table, now, config }: Pick<Deps, 'table' | 'now' | 'config'>,
  { id: programId, workspaceId }: Inviting,
  email: string,
): Promise<Write[]> {
  const day = dayOf(now);
  const [before, count, accepted, workspace] = await Promise.all([
    findSentInvitations(table, email),
    findRecipientCount(table, workspaceId, day),
    findAcceptedCount(table, workspaceId),
    findWorkspace(table, workspaceId),
  ]);
  if (!workspace) throw noWorkspace();
  const counted = countedInvitations(before ?? [], now);
  checkInvitedPerson(counted, programId, now);
  const sent = [...counted, { programId, workspaceId, at: now.toISOString() }];
  const told = sentInvitationsWrite(email, before, sent, countedUntilSeconds(now), now);
  if (!isNewRecipient(counted, workspaceId)) return [told];
  const most = mostRecipients(config.newRecipientsPerDay, workspace, accepted, now);
  checkRecipients(count, most, now);
  return [told, recipientWrite(workspaceId, day, most)];
}

/**
 * Counts a mail to a person who has neither applied nor accepted, in the same way as an invitation of the program.
 * @returns the writes; undefined when the mail must not be sent
 */
export async function countNotice(...asked: Parameters<typeof countInvitation>): Promise<Write[] | undefined> {
  try {
    return await countInvitation(...asked);
  } catch (error) {
    if (isInvitationLimit(error)) return undefined;
    throw error;
  }
}

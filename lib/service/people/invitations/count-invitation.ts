import { dayOf } from '#lib/service/ground/values/day.ts';
import {
  checkInvitedPerson,
  checkRecipients,
  countedInvitations,
  countedUntilSeconds,
  isNewRecipient,
  mostRecipients,
  NONE_PENDING,
  type PendingInvitations,
} from '#lib/service/people/invitations/invitation-limits.ts';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';
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

type CountDeps = Pick<Deps, 'table' | 'now' | 'config'>;

/** The inviting program, or only its workspace for an invitation of a member. */
interface Sender {
  /** The program's id. */
  readonly id?: number;
  readonly workspaceId: number;
}

export interface CountedInvitation {
  /** Writes that count the invitation. */
  readonly writes: readonly Write[];
  /** The invitations that are decided but not stored yet, including this one. */
  readonly pending: PendingInvitations;
}

/**
 * Writes that count an invitation to this address. The writes belong in the transaction of the invitation, so that a
 * refused invitation is neither counted nor sent. An address that has blocked the workspace counts like any other, so
 * that the workspace cannot detect the block.
 * @throws Refusal when the person, or the workspace, has reached a limit
 */
export const countInvitation = async (deps: CountDeps, sender: Sender, email: string): Promise<readonly Write[]> =>
  (await countedInvitation(deps, sender, email, NONE_PENDING)).writes;

/**
 * Counts an invitation.
 * @param pending invitations of the same list that are decided but not stored yet; they count, too
 * @throws Refusal when the person, or the workspace, has reached a limit
 */
export async function countedInvitation(
  { table, now, config }: CountDeps,
  { id: programId, workspaceId }: Sender,
  email: string,
  pending: PendingInvitations,
): Promise<CountedInvitation> {
  const day = dayOf(now);
  const [before, count, accepted, workspace] = await Promise.all([
    findSentInvitations(table, email),
    findRecipientCount(table, workspaceId, day),
    findAcceptedCount(table, workspaceId),
    findWorkspace(table, workspaceId),
  ]);
  if (!workspace) throw noWorkspace();
  const mailbox = mailboxOf(email);
  const one = { programId, workspaceId, at: now.toISOString() };
  const counted = [...countedInvitations(before ?? [], now), ...(pending.mailboxes.has(mailbox) ? [one] : [])];
  checkInvitedPerson(counted, programId, now);
  const told = sentInvitationsWrite(email, before, [...counted, one], countedUntilSeconds(now), now);
  const mailboxes = new Set([...pending.mailboxes, mailbox]);
  if (!isNewRecipient(counted, workspaceId)) return { writes: [told], pending: { ...pending, mailboxes } };
  const most = mostRecipients(config.newRecipientsPerDay, workspace, accepted, now);
  checkRecipients(count + pending.newRecipients, most, now);
  return {
    writes: [told, recipientWrite(workspaceId, day, most)],
    pending: { mailboxes, newRecipients: pending.newRecipients + 1 },
  };
}

/**
 * Counts a mail to a person who has neither applied nor accepted, towards the limits for a program's invitations.
 * @returns the writes; undefined when the mail must not be sent
 */
export async function countNotice(...asked: Parameters<typeof countInvitation>): Promise<readonly Write[] | undefined> {
  try {
    return await countInvitation(...asked);
  } catch (error) {
    if (isInvitationLimit(error)) return undefined;
    throw error;
  }
}

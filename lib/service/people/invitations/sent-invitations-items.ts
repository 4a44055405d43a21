import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';
import type { SentInvitation } from '#lib/service/people/invitations/invitation-limits.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Invitations are counted for a mailbox, which may have many addresses. Only a hash of the mailbox is stored.

const DAY_SECONDS = 86_400;

const sentTo = (email: string) => keys.sentInvitations(sha256(mailboxOf(email)));

/** The newest invitations that were sent to a mailbox; undefined when none of them still counts. */
export const findSentInvitations = async (
  table: Table,
  email: string,
): Promise<readonly SentInvitation[] | undefined> =>
  (await table.get<{ readonly sent: readonly SentInvitation[] }>(sentTo(email)))?.sent;

/**
 * Stores the newest invitations of a mailbox.
 * @param untilSeconds until when the newest invitation counts towards the limits, in Unix seconds
 */
export const sentInvitationsWrite = (
  email: string,
  before: readonly SentInvitation[] | undefined,
  sent: readonly SentInvitation[],
  untilSeconds: number,
  now: Date,
): Write => ({
  name: 'sentInvitations',
  key: sentTo(email),
  put: { sent, expires_at: untilSeconds },
  // Fails if another program has invited the same person in the meantime. This request then reloads and counts both
  // invitations.
  condition: before === undefined ? { isGoneAt: now.getTime() / 1_000 } : { equals: { sent: before } },
});

/** The number of new people whom a workspace invited on a day. */
export const findRecipientCount = async (table: Table, workspaceId: number, day: Day): Promise<number> =>
  (await table.get<{ readonly count: number }>(keys.recipients(workspaceId, day)))?.count ?? 0;

export const recipientWrite = (workspaceId: number, day: Day, most: number): Write => ({
  name: 'recipients',
  key: keys.recipients(workspaceId, day),
  change: { add: { count: 1 }, set: { expires_at: Date.parse(day) / 1_000 + 2 * DAY_SECONDS } },
  // Fails if another request has taken the day's last invitation in the meantime. This request is then refused.
  condition: { below: { count: most } },
});

/** The number of a workspace's invitations that were accepted. */
export const findAcceptedCount = async (table: Table, workspaceId: number): Promise<number> =>
  (await table.get<{ readonly count: number }>(keys.acceptedInvitations(workspaceId)))?.count ?? 0;

export const acceptedInvitationWrite = (workspaceId: number): Write => ({
  name: 'acceptedInvitations',
  key: keys.acceptedInvitations(workspaceId),
  change: { add: { count: 1 } },
});

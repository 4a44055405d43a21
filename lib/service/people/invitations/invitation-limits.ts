import type { RecipientLimits } from '#lib/service/ground/values/rate-limits.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { invitationLimited } from '#lib/service/ground/values/refusals.ts';
import type { Workspace } from '#lib/service/people/workspaces/workspace.ts';

// Invitations are limited, because anyone can enter a stranger's address. A person gets only a few invitations in
// total. A workspace can invite only a few new people per day, until enough people have accepted its invitations.

/** An invitation that was sent to a mailbox. Times are ISO 8601. */
export interface SentInvitation {
  /** The inviting program. Absent for an invitation to the workspace itself. */
  readonly programId?: number;
  readonly workspaceId: number;
  readonly at: string;
}

/** Invitations of one list that are decided but not stored yet. A preview counts them as if they were stored. */
export interface PendingInvitations {
  readonly mailboxes: ReadonlySet<string>;
  /** The number of people whom the workspace had not invited before. */
  readonly newRecipients: number;
}

export const NONE_PENDING: PendingInvitations = { mailboxes: new Set(), newRecipients: 0 };

/** For how long an invitation counts towards the limits: seven days. */
const COUNTED_MS = 7 * DAY_MS;
/**
 * How many invitations a person may get, from all programs and workspaces of the installation together. Several
 * invitations by the same program count as one.
 */
const MOST_COUNTED = 3;

/** Invitations of the last seven days. */
export const countedInvitations = (sent: readonly SentInvitation[], now: Date): readonly SentInvitation[] =>
  sent.filter(({ at }) => Date.parse(at) + COUNTED_MS > now.getTime());

/** Until when the newest of these invitations counts towards the limits, in Unix seconds. */
export const countedUntilSeconds = (now: Date): number => Math.ceil((now.getTime() + COUNTED_MS) / 1_000);

/**
 * Checks the limit of invitations for one person.
 * @param counted invitations of the person that still count
 * @param programId absent for an invitation to a workspace, which may be repeated up to the limit
 * @throws Refusal when the person must not get another invitation. The message does not say how long other programs'
 * invitations still count.
 */
export function checkInvitedPerson(counted: readonly SentInvitation[], programId: number | undefined, now: Date): void {
  const own = programId === undefined ? undefined : counted.find((one) => one.programId === programId);
  if (own) throw limitedUntil(Date.parse(own.at) + COUNTED_MS, now);
  if (counted.length >= MOST_COUNTED) throw limitedUntil(now.getTime() + COUNTED_MS, now);
}

/** Whether the workspace has not invited this person within the last seven days. */
export const isNewRecipient = (counted: readonly SentInvitation[], workspaceId: number): boolean =>
  counted.every((one) => one.workspaceId !== workspaceId);

const KNOWN_AFTER_DAYS = 30;
const KNOWN_BY_ACCEPTED = 10;

/**
 * How many new people a workspace may invite on a day.
 * @param accepted number of the workspace's invitations that were accepted
 */
export const mostRecipients = (
  { atFirst, later }: RecipientLimits,
  { createdAt }: Pick<Workspace, 'createdAt'>,
  accepted: number,
  now: Date,
): number => {
  const isOld = now.getTime() >= Date.parse(createdAt) + KNOWN_AFTER_DAYS * DAY_MS;
  return isOld && accepted >= KNOWN_BY_ACCEPTED ? Math.max(atFirst, later) : atFirst;
};

/**
 * Checks how many new people a workspace has invited on a day.
 * @param count new people invited on the day (UTC)
 * @throws Refusal when the limit is reached
 */
export function checkRecipients(count: number, most: number, now: Date): void {
  if (count >= most) throw limitedUntil((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS, now);
}

const limitedUntil = (time: number, now: Date) =>
  invitationLimited(Math.max(1, Math.ceil((time - now.getTime()) / 1_000)));

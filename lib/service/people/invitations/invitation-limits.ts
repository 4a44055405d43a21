import type { RecipientLimits } from '#lib/service/ground/values/rate-limits.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { invitationLimited } from '#lib/service/ground/values/refusals.ts';
import type { Workspace } from '#lib/service/people/workspaces/workspace.ts';

// Invitations are limited, because anyone can enter a stranger's address. A person gets few invitations, regardless of
// who sends them, and a workspace reaches few strangers until people have accepted its invitations.

/** An invitation that was sent to a mailbox. Times are ISO 8601. */
export interface SentInvitation {
  /** Absent for an invitation to the workspace itself. */
  readonly programId?: number;
  readonly workspaceId: number;
  readonly at: string;
}

/** Invitations in one list that are decided but not yet stored, so that a preview can count them. */
export interface PendingInvitations {
  readonly mailboxes: ReadonlySet<string>;
  /** The number of people whom the workspace had not invited before. */
  readonly newRecipients: number;
}

export const NONE_PENDING: PendingInvitations = { mailboxes: new Set(), newRecipients: 0 };

/** How long an invitation counts: seven days. */
const COUNTED_MS = 7 * DAY_MS;
/** Maximum invitations of one person over all programs and workspaces of the installation. Each program counts once. */
const MOST_COUNTED = 3;

/** Invitations of the last seven days. */
export const countedInvitations = (sent: readonly SentInvitation[], now: Date): readonly SentInvitation[] =>
  sent.filter(({ at }) => Date.parse(at) + COUNTED_MS > now.getTime());

/** When the newest of these invitations stops counting, in Unix seconds. */
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
 * The maximum of new recipients that a workspace may have on a day.
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
 * Checks the limit of a workspace's new recipients per day.
 * @param count new recipients of the day in UTC @throws Refusal when the limit is reached
 */
export function checkRecipients(count: number, most: number, now: Date): void {
  if (count >= most) throw limitedUntil((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS, now);
}

const limitedUntil = (time: number, now: Date) =>
  invitationLimited(Math.max(1, Math.ceil((time - now.getTime()) / 1_000)));

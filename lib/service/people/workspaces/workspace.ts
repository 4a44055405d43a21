import {
  frozenByOperator,
  memberNotFound,
  membersFull,
  ownerRequired,
  programsFull,
} from '#lib/service/ground/values/refusals.ts';

export const memberRoles = ['owner', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Who may freeze payouts. */
export type Freezer = 'owner' | 'operator';

/** Pending ones included. A workspace's item holds all of them. */
export const MOST_MEMBERS = 200;
export const MOST_PROGRAMS = 100;

/** A member of a workspace: an account, or an invited address. Times are ISO 8601. */
export interface Membership {
  /** Absent while pending. */
  readonly accountId?: number;
  /** While pending, the address invited; afterwards the account's own address counts. */
  readonly email: string;
  readonly role: MemberRole;
  readonly invitedAt: string;
  /** The account that invited; absent for founders. */
  readonly invitedBy?: number;
  /** Absent while pending. */
  readonly joinedAt?: string;
}

/** A brand and its people, oldest first. Its item is written as a whole. */
export interface Workspace {
  readonly id: number;
  readonly name: string;
  readonly members: readonly Membership[];
  /** Programs ever created; absent = none. */
  readonly programCount?: number;
  /** Who has frozen the payouts of all its programs; absent = nobody. */
  readonly payoutsFrozenBy?: Freezer;
  /** Incremented by every change: when two race, the loser decides again. */
  readonly version: number;
  readonly createdAt: string;
}

/** Identifies a membership: an account id, or the address of a pending one. */
export type Member = { readonly accountId: number } | { readonly email: string };

const isAbout = (member: Member) => (one: Membership) =>
  'accountId' in member
    ? one.accountId === member.accountId
    : one.accountId === undefined && one.email === member.email;

export const roleOf = (workspace: Workspace, accountId: number): MemberRole | undefined =>
  workspace.members.find(isAbout({ accountId }))?.role;

export const membershipOf = (workspace: Workspace, member: Member): Membership | undefined =>
  workspace.members.find(isAbout(member));

/** @throws Refusal when there is no such member */
export function membershipIn(workspace: Workspace, member: Member): Membership {
  const membership = membershipOf(workspace, member);
  if (!membership) throw memberNotFound();
  return membership;
}

/** Adds a member or sets their role. @throws Refusal when no owner would be left, or there are too many members */
export function withMember(workspace: Workspace, member: Member, wanted: Membership): Workspace {
  const { members } = workspace;
  if (members.some(isAbout(member))) {
    return changed(
      workspace,
      members.map((one) => (isAbout(member)(one) ? { ...one, role: wanted.role } : one)),
    );
  }
  if (members.length >= MOST_MEMBERS) throw membersFull(MOST_MEMBERS);
  return changed(workspace, [...members, wanted]);
}

/** @throws Refusal when no owner would be left */
export const withoutMember = (workspace: Workspace, member: Member): Workspace =>
  changed(
    workspace,
    workspace.members.filter((one) => !isAbout(member)(one)),
  );

/** A pending membership becomes an account's. */
export const withJoined = (workspace: Workspace, email: string, accountId: number, joinedAt: string): Workspace =>
  changed(
    workspace,
    workspace.members.map((one) => (isAbout({ email })(one) ? { ...one, accountId, joinedAt } : one)),
  );

/** @throws Refusal when there are too many programs */
export function withProgram(workspace: Workspace): Workspace {
  const { programCount = 0 } = workspace;
  if (programCount >= MOST_PROGRAMS) throw programsFull(MOST_PROGRAMS);
  return { ...workspace, programCount: programCount + 1, version: workspace.version + 1 };
}

export const hasFrozenPayouts = ({ payoutsFrozenBy }: Workspace): boolean => payoutsFrozenBy !== undefined;

/** The operator's freeze replaces an owner's, and is replaced by none. @returns the same one where nothing changes */
export const withFrozenPayouts = (workspace: Workspace, by: Freezer): Workspace =>
  workspace.payoutsFrozenBy === by || workspace.payoutsFrozenBy === 'operator'
    ? workspace
    : { ...workspace, payoutsFrozenBy: by, version: workspace.version + 1 };

/** @returns the same one where nothing changes @throws Refusal for an owner where the operator has frozen them */
export function withThawedPayouts(workspace: Workspace, by: Freezer): Workspace {
  if (!hasFrozenPayouts(workspace)) return workspace;
  if (workspace.payoutsFrozenBy === 'operator' && by !== 'operator') throw frozenByOperator();
  return { ...workspace, payoutsFrozenBy: undefined, version: workspace.version + 1 };
}

/** The inviting account; the first owner when the invitation does not record it. */
export const inviterOf = ({ members }: Workspace, { invitedBy }: Membership): number | undefined =>
  invitedBy ?? members.find(({ role, accountId }) => role === 'owner' && accountId !== undefined)?.accountId;

/** Pending owners do not count. */
function changed(workspace: Workspace, members: readonly Membership[]): Workspace {
  if (!members.some(({ role, accountId }) => role === 'owner' && accountId !== undefined)) throw ownerRequired();
  return { ...workspace, members, version: workspace.version + 1 };
}

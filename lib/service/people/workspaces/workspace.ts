import {
  frozenByOperator,
  memberNotFound,
  membersFull,
  ownerRequired,
  programsFull,
} from '#lib/service/ground/values/refusals.ts';

export const memberRoles = ['owner', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Who can freeze payouts. */
export type Freezer = 'owner' | 'operator';

/** Maximum members of a workspace, including pending ones. The workspace's item contains all of them. */
export const MOST_MEMBERS = 200;
export const MOST_PROGRAMS = 100;

/** A member of a workspace: an account, or an invited address. Times are ISO 8601. */
export interface Membership {
  /** The account of the member; undefined while the membership is pending. */
  readonly accountId?: number;
  /** The invited address. It is used until the person accepts; afterwards the account's own address is used. */
  readonly email: string;
  readonly role: MemberRole;
  readonly invitedAt: string;
  /** The account that sent the invitation; undefined for founders. */
  readonly invitedBy?: number;
  /** When the person accepted; undefined while the membership is pending. */
  readonly joinedAt?: string;
}

/** A brand's workspace with its members, oldest first. All of it is one item, which each change replaces. */
export interface Workspace {
  readonly id: number;
  readonly name: string;
  readonly members: readonly Membership[];
  /** Number of programs ever created; undefined means none. */
  readonly programCount?: number;
  /** Who has frozen the payouts of all programs of the workspace; undefined if they are not frozen. */
  readonly payoutsFrozenBy?: Freezer;
  /** Increases with every change. A change that finds another version reloads and decides again. */
  readonly version: number;
  readonly createdAt: string;
}

/** Identifies a membership: by account id, or by address while the membership is pending. */
export type Member = { readonly accountId: number } | { readonly email: string };

const isAbout = (member: Member) => (one: Membership) =>
  'accountId' in member
    ? one.accountId === member.accountId
    : one.accountId === undefined && one.email === member.email;

export const roleOf = (workspace: Workspace, accountId: number): MemberRole | undefined =>
  workspace.members.find(isAbout({ accountId }))?.role;

export const membershipOf = (workspace: Workspace, member: Member): Membership | undefined =>
  workspace.members.find(isAbout(member));

/** Finds a membership of the workspace. @throws Refusal if there is no such member */
export function membershipIn(workspace: Workspace, member: Member): Membership {
  const membership = membershipOf(workspace, member);
  if (!membership) throw memberNotFound();
  return membership;
}

/** Adds a member or sets their role. @throws Refusal if no owner would remain, or there are too many members */
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

/** The workspace without a member. @throws Refusal if no owner would remain */
export const withoutMember = (workspace: Workspace, member: Member): Workspace =>
  changed(
    workspace,
    workspace.members.filter((one) => !isAbout(member)(one)),
  );

/** Changes a pending membership into the membership of an account. */
export const withJoined = (workspace: Workspace, email: string, accountId: number, joinedAt: string): Workspace =>
  changed(
    workspace,
    workspace.members.map((one) => (isAbout({ email })(one) ? { ...one, accountId, joinedAt } : one)),
  );

/** The workspace with one more program. @throws Refusal if there are too many programs */
export function withProgram(workspace: Workspace): Workspace {
  const { programCount = 0 } = workspace;
  if (programCount >= MOST_PROGRAMS) throw programsFull(MOST_PROGRAMS);
  return { ...workspace, programCount: programCount + 1, version: workspace.version + 1 };
}

export const hasFrozenPayouts = ({ payoutsFrozenBy }: Workspace): boolean => payoutsFrozenBy !== undefined;

/**
 * The workspace with frozen payouts. An owner cannot replace a freeze by the operator, but the operator can replace
 * theirs.
 * @returns the same object if nothing changes
 */
export const withFrozenPayouts = (workspace: Workspace, by: Freezer): Workspace =>
  workspace.payoutsFrozenBy === by || workspace.payoutsFrozenBy === 'operator'
    ? workspace
    : { ...workspace, payoutsFrozenBy: by, version: workspace.version + 1 };

/**
 * The workspace after its payouts were unfrozen.
 * @returns the same object if nothing changes
 * @throws Refusal if an owner tries to lift the operator's freeze
 */
export function withThawedPayouts(workspace: Workspace, by: Freezer): Workspace {
  if (!hasFrozenPayouts(workspace)) return workspace;
  if (workspace.payoutsFrozenBy === 'operator' && by !== 'operator') throw frozenByOperator();
  return { ...workspace, payoutsFrozenBy: undefined, version: workspace.version + 1 };
}

/** The account that sent an invitation; the first owner if this was not recorded. */
export const inviterOf = ({ members }: Workspace, { invitedBy }: Membership): number | undefined =>
  invitedBy ?? members.find(({ role, accountId }) => role === 'owner' && accountId !== undefined)?.accountId;

/** The workspace with changed members. Pending owners do not count as owners. */
function changed(workspace: Workspace, members: readonly Membership[]): Workspace {
  if (!members.some(({ role, accountId }) => role === 'owner' && accountId !== undefined)) throw ownerRequired();
  return { ...workspace, members, version: workspace.version + 1 };
}

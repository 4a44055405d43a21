import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/service/ground/values/refusals.ts';
import {
  hasFrozenPayouts,
  type Member,
  type Membership,
  membershipIn,
  membershipOf,
  roleOf,
  withFrozenPayouts,
  withJoined,
  withMember,
  withoutMember,
  withThawedPayouts,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';

const at = '2026-11-20T15:00:00.000Z';
const active = (accountId: number, role: Membership['role']): Membership => ({
  accountId,
  email: `a${accountId}@acme.test`,
  role,
  invitedAt: at,
  joinedAt: at,
});
const invited = (email: string, role: Membership['role']): Membership => ({ email, role, invitedAt: at });
const workspaceOf = (...members: Membership[]): Workspace => ({
  id: 1,
  name: 'Acme',
  members,
  version: 7,
  createdAt: at,
});

const acme = workspaceOf(active(1, 'owner'), active(2, 'member'), invited('new@acme.test', 'owner'));

it('a member who has joined a workspace is found only by account, and an invited person only by e-mail address', () => {
  expect(roleOf(acme, 1)).toBe('owner');
  expect(roleOf(acme, 2)).toBe('member');
  expect(roleOf(acme, 3)).toBeUndefined();
  expect(membershipOf(acme, { email: 'new@acme.test' })).toBe(acme.members[2]);
  expect(membershipOf(acme, { email: 'a2@acme.test' })).toBeUndefined();
  expect(membershipIn(acme, { accountId: 2 })).toBe(acme.members[1]);
  expect(() => membershipIn(acme, { accountId: 3 })).toThrow('Member not found');
});

describe('withMember, which adds a member to a workspace or changes the role of one,', () => {
  it('adds a new member at the end', () => {
    const wanted = invited('x@acme.test', 'member');
    const { members, version } = withMember(acme, { email: wanted.email }, wanted);
    expect(members).toEqual([...acme.members, wanted]);
    expect(version).toBe(8);
  });

  it('changes only the role of an existing member', () => {
    const { members } = withMember(acme, { accountId: 2 }, invited('other@acme.test', 'owner'));
    expect(members).toEqual([acme.members[0], active(2, 'owner'), acme.members[2]]);
  });
});

it('withJoined turns an invitation into a membership of the account, with the role of the invitation', () => {
  const { members } = withJoined(acme, 'new@acme.test', 9, at);
  expect(members[2]).toEqual({ ...invited('new@acme.test', 'owner'), accountId: 9, joinedAt: at });
});

type WorkspaceChange = (workspace: Workspace) => Workspace;

function unlessRefused(workspace: Workspace, change: WorkspaceChange): Workspace {
  try {
    return change(workspace);
  } catch (error) {
    if (error instanceof Refusal) return workspace;
    throw error;
  }
}

describe('a workspace always has an owner who has joined', () => {
  const needsOwner = 'A workspace needs at least one owner';

  it('because the last one can neither leave nor become a plain member, even if other owners are invited', () => {
    expect(() => withoutMember(acme, { accountId: 1 })).toThrow(needsOwner);
    expect(() => withMember(acme, { accountId: 1 }, active(1, 'member'))).toThrow(needsOwner);
    expect(withoutMember(acme, { accountId: 2 }).members).toHaveLength(2);
    expect(withoutMember(acme, { email: 'new@acme.test' }).members).toHaveLength(2);
  });

  it('after any series of added, changed and removed members', () => {
    const role = fc.constantFrom('owner', 'member');
    const member: fc.Arbitrary<Member> = fc.oneof(
      fc.record({ accountId: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ email: fc.constantFrom('new@acme.test', 'x@acme.test') }),
    );
    const change: fc.Arbitrary<WorkspaceChange> = fc.oneof(
      fc.tuple(member, role).map(([who, as]): WorkspaceChange => {
        const wanted = 'accountId' in who ? active(who.accountId, as) : invited(who.email, as);
        return (workspace) => withMember(workspace, who, wanted);
      }),
      member.map(
        (who): WorkspaceChange =>
          (workspace) =>
            withoutMember(workspace, who),
      ),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const workspace = changes.reduce(unlessRefused, acme);
        expect(workspace.members.some((one) => one.role === 'owner' && one.accountId !== undefined)).toBe(true);
      }),
    );
  });
});

describe('the freeze of a workspace’s payouts', () => {
  const byOwner = withFrozenPayouts(acme, 'owner');
  const byOperator = withFrozenPayouts(acme, 'operator');

  it('is set and ended by an owner or the operator; each changes the version of the workspace by 1', () => {
    expect([acme, byOwner, byOperator].map(hasFrozenPayouts)).toEqual([false, true, true]);
    expect([byOwner, byOperator].map(({ version }) => version)).toEqual([acme.version + 1, acme.version + 1]);
    expect(withFrozenPayouts(byOwner, 'owner')).toBe(byOwner);
    expect(withThawedPayouts(acme, 'owner')).toBe(acme);
    expect(hasFrozenPayouts(withThawedPayouts(byOwner, 'owner'))).toBe(false);
  });

  it('by the operator can be ended only by the operator, not by an owner', () => {
    expect(withFrozenPayouts(byOperator, 'owner')).toBe(byOperator);
    expect(withFrozenPayouts(byOwner, 'operator').payoutsFrozenBy).toBe('operator');
    expect(() => withThawedPayouts(byOperator, 'owner')).toThrow(
      'Payouts of this workspace were frozen by the operator',
    );
    expect(hasFrozenPayouts(withThawedPayouts(byOperator, 'operator'))).toBe(false);
    expect(hasFrozenPayouts(withThawedPayouts(byOwner, 'operator'))).toBe(false);
  });
});

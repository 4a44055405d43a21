import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { MemberRole, Workspace } from '#lib/service/people/workspaces/workspace.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { joinWorkspace } from '#lib/service/people/workspaces/answer-invitation.ts';
import { openSession } from '#lib/service/programs/joining/open-session.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// People who are signed in. They are created directly in the table, without an issuer and without HTTP.

/** A person with a login token. */
export interface Person {
  readonly token: string;
  /** The account as it was at the sign-in. */
  readonly account: Account;
}

export interface Member extends Person {
  readonly workspace: Workspace;
}

let people = 0;

export const newAddress = (name = 'person'): string => `${name}${++people}@people.test`;

/** What the issuer says about the person with this address. @param at when the person authenticated */
const identityOf = (email: string, at: Date = NOW, name?: string) => ({
  issuer: 'test',
  subject: email,
  email,
  name,
  signedInAt: at.toISOString(),
  idToken: { hash: String(++people), endsAtSeconds: NOW.getTime() / 1000 + 600 },
});

/** Signs in the person with this address. The first call creates the account; each call creates a new session. */
export async function signedInAs(world: World, email = newAddress(), at: Date = NOW): Promise<Person> {
  const { token, account } = await openSession(world.deps(at), identityOf(email, at));
  return { token, account };
}

/** Creates the owner of a new workspace, which has no programs. */
export async function ownerOf(world: World, email = newAddress('owner'), name = 'Acme'): Promise<Member> {
  const workspace = await createWorkspace(world.deps(), await signInOwn(world.deps(), identityOf(email)), name);
  return { ...(await signedInAs(world, email)), workspace };
}

export async function ownerOfBrand(world: World, { program }: Pick<Brand, 'program'>): Promise<Member> {
  const workspace = await findWorkspace(world.deps().table, program.workspaceId);
  if (!workspace) throw new Error('The brand has no workspace');
  return { ...(await signedInAs(world, workspace.members[0]!.email)), workspace };
}

/** Creates a person who has accepted an invitation to the workspace and is an active member. */
export async function memberOf(
  world: World,
  { id }: Pick<Workspace, 'id'>,
  role: MemberRole = 'member',
  email = newAddress(role),
): Promise<Member> {
  await setMember(world.deps(), id, { email, role });
  const person = await signedInAs(world, email);
  const workspace = await joinWorkspace(world.deps(), person.account.id, id);
  return { ...person, workspace };
}

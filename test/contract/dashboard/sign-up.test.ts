import { beforeAll, expect, it } from 'vitest';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { removeMember } from '#lib/service/people/workspaces/remove-member.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';
import { callBack, loginItems, openSession, pollFor, started } from '#test/support/callers/logins/logins.ts';
import { newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// An installation with accounts for invited people of two domains only.

Object.assign(process.env, { SIGN_UP: 'invited', ALLOWED_EMAIL_DOMAINS: 'people.test, Other.test' });

const byInvitation = platformError(403, 'Sign-up is by invitation only. Ask a workspace owner to invite you.');
const foreignDomain = platformError(
  403,
  'Accounts of this e-mail domain are not allowed here. Sign in with another address, or ask the operator of this service.',
);

let world: World;
let issuer: Issuer;
let workspaceId: number;
beforeAll(async () => {
  [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
  ({ workspaceId } = (await world.brand()).program);
});

const invite = (email: string) => setMember(world.deps(), workspaceId, { email, role: 'member' });
const personWith = (email: string) => ({ sub: `subject of ${email}`, email });
const accountsOf = async (email: string) =>
  (await allItems(world)).filter((item) => item.email === email && item.sk === 'ACCOUNT');

it('if sign-up needs an invitation, a person without one gets no account, neither in the dashboard nor in the CLI', async () => {
  const email = newAddress();
  const { status, body } = await openSession(issuer, personWith(email));
  expect({ status, body }).toEqual({ status: 403, body: byInvitation });
  const state = await started();
  expect(await callBack(state, await issuer.idToken(personWith(email)))).toMatchObject({
    status: 403,
    body: byInvitation,
  });
  expect(await loginItems(world, state)).toMatchObject([{ status: 'pending' }]);
  expect((await allItems(world)).filter((item) => JSON.stringify(item).includes(email))).toEqual([]);
});

it('an invited person who signs in gets an account, and can still sign in after being removed from the workspace', async () => {
  const email = newAddress();
  await invite(email);
  expect(await openSession(issuer, personWith(email.toUpperCase()))).toMatchObject({ status: 200 });
  await removeMember(world.deps(), workspaceId, { email });
  expect(await openSession(issuer, personWith(email))).toMatchObject({ status: 200 });
  expect(await accountsOf(email)).toHaveLength(1);
});

it('a person whom a program has as a partner gets an account', async () => {
  const email = newAddress();
  const { program } = await world.brand();
  await addPartner(world.deps(), program.id, { name: 'Ben', email });
  expect(await openSession(issuer, personWith(email))).toMatchObject({ status: 200 });
});

it('an invited person gets an account by signing in to the CLI', async () => {
  const email = newAddress();
  await invite(email);
  const state = await started();
  expect(await callBack(state, await issuer.idToken(personWith(email)))).toMatchObject({ status: 200 });
  expect((await pollFor(state)).body.data).toMatchObject({ status: 'complete', email });
});

it('a person whose invitation is withdrawn before the first sign-in gets no account', async () => {
  const email = newAddress();
  await invite(email);
  await removeMember(world.deps(), workspaceId, { email });
  expect(await openSession(issuer, personWith(email))).toMatchObject({ status: 403, body: byInvitation });
});

it.each(['jane@foreign.test', 'jane@sub.people.test', 'jane@people.test@foreign.test'])(
  '%s gets no account, even if invited, because the domain is not among the allowed ones',
  async (email) => {
    if (email.split('@').length === 2) await invite(email);
    const { status, body } = await openSession(issuer, personWith(email));
    expect({ status, body }).toEqual({ status: 403, body: foreignDomain });
    expect(await accountsOf(email)).toEqual([]);
  },
);

it('the domains allowed for accounts are compared without regard to case', async () => {
  await invite('jane@other.test');
  expect(await openSession(issuer, personWith('Jane@OTHER.test'))).toMatchObject({ status: 200 });
});

it('a person who has an account can sign in even if the domain is no longer allowed', async () => {
  const { workspace } = await ownerOfBrand(world, await world.brand());
  expect(workspace.members[0]!.email).toMatch(/@brand\d+\.test$/);
  expect(await openSession(issuer, personWith(workspace.members[0]!.email))).toMatchObject({ status: 200 });
});

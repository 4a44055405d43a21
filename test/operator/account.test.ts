import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { newAddress, type Person, signedInAs } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

const LATER = new Date('2026-11-21T08:00:00.000Z');
const AFTER_90_DAYS = new Date(NOW.getTime() + 90 * 86_400_000);

let world: World;
let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
  world = await openWorld();
});

const itemsOf = ({ account: { id } }: Person) => world.items(`ACCOUNT#${id}`);
/** The account's data about its identity at the issuer. */
const identityOf = ({ account: { id, email } }: Person) => ({
  pk: `ACCOUNT#${id}`,
  sk: `IDENTITY#test#${email}`,
  issuer: 'test',
  subject: email,
});
const me = ({ token }: Person, at = NOW) => dashboard(token).get('/me', { at });
const signIn = async (email: string) =>
  dashboard().post('/session', { id_token: await issuer.idToken({ sub: email, email }) });
const blocked = platformError(403, 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' });

describe('the operator’s command `account suspend`', () => {
  it('invalidates every token of the account at once, and prevents signing in again', async () => {
    const email = newAddress();
    const first = await signedInAs(world, email);
    const second = await signedInAs(world, email);
    const [before] = await itemsOf(first);
    expect((await me(first)).status).toBe(200);

    expect(await operated(world, `account suspend --email ${email}`, LATER)).toEqual({
      account_id: first.account.id,
      suspended: true,
      tokens_revoked: 2,
    });
    const left = [{ ...before, suspendedAt: LATER.toISOString() }, identityOf(first)];
    expect(await itemsOf(first)).toEqual(left);
    for (const person of [first, second]) {
      expect(await world.items(`CREDENTIAL#${sha256(person.token)}`)).toEqual([]);
      expect(await me(person)).toMatchObject({ status: 401, body: platformError(401, 'Invalid or expired token') });
    }
    expect(await signIn(email)).toMatchObject({ status: 403, body: blocked });
    expect(await itemsOf(first)).toEqual(left);
  });

  it('finds the account by its e-mail address in any case, with spaces around it', async () => {
    const person = await signedInAs(world);
    const { account } = person;
    const words = ['account', 'suspend', '--email', `  ${account.email.toUpperCase()} `];
    expect(await operated(world, words)).toMatchObject({ account_id: account.id, tokens_revoked: 1 });
  });

  it('reports the number of tokens that were still valid, and deletes expired ones as well', async () => {
    const email = newAddress();
    const expired = await signedInAs(world, email);
    const [before] = await itemsOf(expired);
    expect(await operated(world, `account suspend --email ${email}`, AFTER_90_DAYS)).toMatchObject({
      tokens_revoked: 0,
    });
    expect(await itemsOf(expired)).toEqual([
      { ...before, suspendedAt: AFTER_90_DAYS.toISOString() },
      identityOf(expired),
    ]);
    const other = newAddress();
    await signedInAs(world, other);
    // A millisecond before the expiry of a session that is not used.
    const justBefore = new Date(Date.parse('2026-12-05T00:00:00.000Z') - 1);
    expect(await operated(world, `account suspend --email ${other}`, justBefore)).toMatchObject({ tokens_revoked: 1 });
  });

  it('reports no invalidated tokens when it is repeated', async () => {
    const { account } = await signedInAs(world);
    await operated(world, `account suspend --email ${account.email}`);
    const again = { account_id: account.id, suspended: true, tokens_revoked: 0 };
    expect(await operated(world, `account suspend --email ${account.email}`)).toEqual(again);
  });

  it('affects no other account', async () => {
    const [suspended, other] = [await signedInAs(world), await signedInAs(world)];
    await operated(world, `account suspend --email ${suspended.account.email}`);
    expect((await me(other)).status).toBe(200);
  });

  it('leaves no valid token if the person signs in during the command', async () => {
    const email = newAddress();
    const known = await signedInAs(world, email);
    const [before] = await itemsOf(known);
    const overtaken = overtakenBy(() => operated(world, `account suspend --email ${email}`));
    const late = failing('write', overtaken, () => signedInAs(world, email));
    await expect(late).rejects.toThrow('Your account has been suspended.');
    expect(await itemsOf(known)).toEqual([{ ...before, suspendedAt: NOW.toISOString() }, identityOf(known)]);
  });
});

describe('the operator’s command `account unsuspend`', () => {
  it('allows the person to sign in again; the old tokens stay invalid', async () => {
    const person = await signedInAs(world);
    const { email, id } = person.account;
    const before = (await itemsOf(person))[0];
    await operated(world, `account suspend --email ${email}`);
    expect(await operated(world, `account unsuspend --email ${email}`)).toEqual({ account_id: id, suspended: false });
    expect(await itemsOf(person)).toEqual([before, identityOf(person)]);
    expect((await me(person)).status).toBe(401);
    const { status, body } = await signIn(email);
    expect([status, body.data.account.id]).toEqual([200, id]);
    expect((await me({ ...person, token: body.data.token })).status).toBe(200);
  });

  it('changes nothing for an account that is not suspended', async () => {
    const person = await signedInAs(world);
    const before = await itemsOf(person);
    await operated(world, `account unsuspend --email ${person.account.email}`);
    expect(await itemsOf(person)).toEqual(before);
  });
});

it('the commands `account suspend` and `account unsuspend` print the same result as text and as JSON', async () => {
  const { account } = await signedInAs(world);
  const said = async (verb: string) => (await operator(world, `account ${verb} --email ${account.email}`)).out;
  expect(await said('suspend')).toEqual([`Account ${account.id} is suspended. Login tokens revoked: 1.`]);
  expect(await said('unsuspend')).toEqual([`Account ${account.id} may sign in again.`]);
});

it.each(['suspend', 'unsuspend'])('the command `account %s` fails for an unknown e-mail address', async (verb) => {
  const message = 'No account has the e-mail nobody@people.test';
  expect(await refusedWith(world, `account ${verb} --email Nobody@People.test`)).toBe(message);
});

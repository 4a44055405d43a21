import { describe, expect, it } from 'vitest';
import { handler as close } from '#functions/dashboard/session/delete.ts';
import { handler as open, handler as session } from '#functions/dashboard/session/post.ts';
import { handler as me } from '#functions/dashboard/me/get.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { suspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { ISSUER, issuerKey } from '#test/support/callers/logins/issuer.ts';
import { memberOf, newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';
import { newSubject, signedIn, type Subject, callBack, pollFor, started } from '#test/support/callers/logins/logins.ts';

const world = openedWorld();
const issuer = openedIssuer();

const openFor = async (email: string, claims: object = {}) =>
  send(open, { body: { id_token: await issuer.idToken({ sub: email, email, ...claims }) } });
const asMe = (key: string) => send(me, { method: 'GET', key });
const refusal = (status: number, message: string, details?: object) => ({
  status,
  headers: countedHeaders(300),
  body: platformError(status, message, details),
});
const UNUSED_END = '2026-12-05T00:00:00.000Z';

describe('POST session is answered 200', () => {
  it('and creates an account for a new person', async () => {
    const reply = await openFor('new.person@people.test');
    const { token, account } = reply.body.data;
    expect(reply).toEqual(
      dataReply({
        token: expect.stringMatching(/^lgn_[0-9A-Za-z]{40}$/),
        expires_at: UNUSED_END,
        account: { id: expect.any(Number), email: 'new.person@people.test', name: 'new.person' },
        workspace: null,
        invitations: [],
      }),
    );
    expect(await world.items(`ACCOUNT#${account.id}`)).toEqual([
      {
        pk: `ACCOUNT#${account.id}`,
        sk: 'ACCOUNT',
        id: account.id,
        email: 'new.person@people.test',
        name: 'new.person',
        createdAt: NOW.toISOString(),
        browsers: ['unnamed'],
      },
      {
        pk: `ACCOUNT#${account.id}`,
        sk: `IDENTITY#${ISSUER}#new.person@people.test`,
        issuer: ISSUER,
        subject: 'new.person@people.test',
      },
      expect.objectContaining({ sk: `TOKEN#${sha256(token)}` }),
    ]);
    expect(JSON.stringify(await allItems(world))).not.toContain(token);
  });

  it('and returns the person’s workspace and role', async () => {
    const owner = await ownerOf(world);
    const member = await memberOf(world, owner.workspace);
    const { id, name } = owner.workspace;
    expect((await openFor(owner.account.email)).body.data.workspace).toEqual({ id, name, role: 'owner' });
    expect((await openFor(member.account.email)).body.data.workspace).toEqual({ id, name, role: 'member' });
  });
});

describe('POST session is refused with', () => {
  it.each([{}, { id_token: '' }, { id_token: null }, { id_token: 7 }, { token: 'x' }])(
    '400 for the body %j',
    async (body) => {
      expect(await send(open, { body })).toEqual(refusal(400, 'Missing required fields: id_token'));
    },
  );

  it('401 for an invalid ID token', async () => {
    expect(await send(open, { body: { id_token: 'x' } })).toEqual(refusal(401, 'Invalid or expired id_token'));
    expect(await openFor(newAddress(), { email_verified: false })).toEqual(refusal(401, 'Invalid or expired id_token'));
  });

  it('403 for a suspended account, without the reason of the suspension', async () => {
    const { account } = await signedInAs(world);
    await suspendAccount(world.deps(), account.email);
    expect(await openFor(account.email)).toEqual(
      refusal(403, 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' }),
    );
    expect(await world.items(`ACCOUNT#${account.id}`)).toMatchObject([
      { sk: 'ACCOUNT' },
      { sk: `IDENTITY#test#${account.email}`, issuer: 'test', subject: account.email },
    ]);
  });

  it('403 if the account is suspended just before the login token is written', async () => {
    const email = newAddress();
    const { account } = (await openFor(email)).body.data;
    const reply = await failing(
      'write',
      async (sendOn) => {
        await suspendAccount(world.deps(), email);
        return sendOn();
      },
      () => openFor(email),
    );
    expect(reply).toEqual(refusal(403, 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' }));
    expect(await world.items(`ACCOUNT#${account.id}`)).toMatchObject([
      { sk: 'ACCOUNT' },
      { sk: `IDENTITY#${ISSUER}#${email}`, issuer: ISSUER, subject: email },
    ]);
  });

  it('500 if the identity provider’s keys cannot be loaded', async () => {
    issuer.answerWith(500);
    const token = await issuer.idToken({}, { key: await issuerKey('new') });
    const reply = await send(open, { body: { id_token: token } });
    issuer.answerWith(200);
    expect(reply).toEqual({ status: 500, headers: countedHeaders(300), body: namedFailure('Request failed', reply) });
  });

  it.each(['read', 'query', 'write', 'second write'] as const)('500 if the table’s %s fails', async (call) => {
    const email = newAddress();
    const reply = await failing(call, refused('InternalServerError'), () => openFor(email));
    expect(reply).toMatchObject({ status: 500, body: namedFailure('Request failed', reply) });
    expect((await openFor(email)).status).toBe(200);
    const accounts = (await allItems(world)).filter(({ sk, email: of }) => sk === 'ACCOUNT' && of === email);
    expect(accounts).toHaveLength(1);
  });
});

describe('DELETE session', () => {
  it('revokes only the token that the request sends, at once', async () => {
    const { token, account } = await signedInAs(world);
    const other = await signedInAs(world, account.email);
    expect(await send(close, { method: 'DELETE', key: token })).toEqual(dataReply({ revoked: true }));
    expect((await asMe(token)).body).toEqual(platformError(401, 'Invalid or expired token'));
    expect((await send(close, { method: 'DELETE', key: token })).status).toBe(401);
    expect((await asMe(other.token)).status).toBe(200);
    expect(await world.items(`CREDENTIAL#${sha256(token)}`)).toEqual([]);
    const items = await world.items(`ACCOUNT#${account.id}`);
    expect(items.map(({ sk }) => sk)).toEqual([
      'ACCOUNT',
      `IDENTITY#test#${account.email}`,
      `TOKEN#${sha256(other.token)}`,
    ]);
  });

  it('is answered 500 if the table fails, and the token stays valid', async () => {
    const { token } = await signedInAs(world);
    const request = { method: 'DELETE', key: token };
    const reply = await failing('write', refused('InternalServerError'), () => send(close, request));
    expect(reply).toMatchObject({ status: 500, body: namedFailure('Request failed', reply) });
    expect((await asMe(token)).status).toBe(200);
  });
});

// Tests of people who sign in while they or others change their account.

const signIn = (subject: Subject) => signedIn(issuer, subject);
const allSignedIn = (people: readonly Subject[]) => Promise.all(people.map(signIn));

it('parallel first sign-ins of one person create one account', async () => {
  const jane = newSubject();
  const sessions = await allSignedIn(Array.from({ length: 8 }, () => jane));
  expect(new Set(sessions.map(({ account }) => account.id)).size).toBe(1);
  expect(new Set(sessions.map(({ token }) => token)).size).toBe(8);
  expect((await allItems(world)).filter(({ sk, email }) => sk === 'ACCOUNT' && email === jane.email)).toHaveLength(1);
});

it('parallel sign-ins with two subjects and one new e-mail address create one account', async () => {
  const jane = newSubject();
  const [one, other] = await allSignedIn([jane, { ...jane, sub: `second ${jane.sub}` }]);
  expect(one.account).toEqual(other.account);
});

it('if two accounts change to the same e-mail address in parallel, exactly one gets it', async () => {
  const [jane, john, email] = [newSubject(), newSubject(), newAddress('both')];
  await allSignedIn([jane, john]);
  const sessions = await allSignedIn([
    { ...jane, email },
    { ...john, email },
  ]);
  const addresses = sessions.map(({ account }) => account.email);
  expect(addresses.filter((address) => address === email)).toHaveLength(1);
  const winner = sessions.find(({ account }) => account.email === email);
  expect(await world.items(`ACCOUNT_EMAIL#${email}`)).toMatchObject([{ accountId: winner.account.id }]);
});

// An id_token opens one dashboard session and one CLI session.

const openBy = (id_token: string, at = NOW) => send(session, { body: { id_token }, at });
const invalidToken = platformError(401, 'Invalid or expired id_token');

it('an ID token signs in only once: a second sign-in with it is refused, even in parallel', async () => {
  const jane = newSubject();
  const token = await issuer.idToken({ ...jane });
  const replies = await Promise.all([1, 2, 3].map(() => openBy(token)));
  expect(statusesOf(replies)).toEqual([200, 401, 401]);
  expect((await openBy(token)).body).toEqual(invalidToken);
  const tokens = (
    await world.items(`ACCOUNT#${replies.find(({ status }) => status === 200)!.body.data.account.id}`)
  ).filter(({ sk }) => String(sk).startsWith('TOKEN#'));
  expect(tokens).toHaveLength(1);
});

it('an ID token can sign in the dashboard once and one CLI once; to confirm a second CLI login with it is refused, and that CLI keeps waiting', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  expect((await openBy(token)).status).toBe(200);
  const [first, second] = [await started(), await started()];
  expect((await callBack(first, token)).status).toBe(200);
  expect((await callBack(second, token)).body).toEqual(invalidToken);
  expect((await pollFor(second)).body.data).toEqual({ status: 'pending' });
  expect((await callBack(first, token)).status).toBe(404);
});

it('an ID token counts as the same token if its signature is encoded differently', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  expect((await openBy(token)).status).toBe(200);
  const last = token.at(-1)!;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const sameBits = alphabet[alphabet.indexOf(last) ^ 1]!;
  expect((await openBy(token.slice(0, -1) + sameBits)).body).toEqual(invalidToken);
});

it('the record that an ID token was used expires when the ID token does', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  await openBy(token);
  const kept = (await allIdTokens()).at(-1);
  expect(kept).toEqual({
    pk: expect.stringMatching(/^ID_TOKEN#dashboard#[0-9a-f]{64}$/),
    sk: kept!.pk,
    expires_at: NOW.getTime() / 1000 + 631,
  });
});

it.each([
  [30, 200],
  [31, 401],
])('an ID token issued %i seconds in the future is answered with %i', async (seconds, status) => {
  const iat = NOW.getTime() / 1000 + seconds;
  expect((await openBy(await issuer.idToken({ ...newSubject(), iat }))).status).toBe(status);
});

async function allIdTokens() {
  return (await allItems(world)).filter(({ pk }) => String(pk).startsWith('ID_TOKEN#'));
}

import { expect, it } from 'vitest';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { callBack, newSubject, pollFor, started } from '#test/support/callers/logins.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/opened-issuer.ts';

// An id_token opens one session of the dashboard and one of a terminal.

const world = openedWorld();
const issuer = openedIssuer();

const open = (id_token: string, at = NOW) => send(session, { body: { id_token }, at });
const refused = platformError(401, 'Invalid or expired id_token');

it('a second session with the same id_token is refused, also when both are opened at once', async () => {
  const jane = newSubject();
  const token = await issuer.idToken({ ...jane });
  const replies = await Promise.all([1, 2, 3].map(() => open(token)));
  expect(statusesOf(replies)).toEqual([200, 401, 401]);
  expect((await open(token)).body).toEqual(refused);
  const tokens = (
    await world.items(`ACCOUNT#${replies.find(({ status }) => status === 200)!.body.data.account.id}`)
  ).filter(({ sk }) => String(sk).startsWith('TOKEN#'));
  expect(tokens).toHaveLength(1);
});

it('the same id_token signs in one terminal beside the dashboard; another terminal is refused and still waits', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  expect((await open(token)).status).toBe(200);
  const [first, second] = [await started(), await started()];
  expect((await callBack(first, token)).status).toBe(200);
  expect((await callBack(second, token)).body).toEqual(refused);
  expect((await pollFor(second)).body.data).toEqual({ status: 'pending' });
  expect((await callBack(first, token)).status).toBe(404);
});

it('a text that only spells the signature differently is the same id_token', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  expect((await open(token)).status).toBe(200);
  const last = token.at(-1)!;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const sameBits = alphabet[alphabet.indexOf(last) ^ 1]!;
  expect((await open(token.slice(0, -1) + sameBits)).body).toEqual(refused);
});

it('what is kept of an id_token expires with it', async () => {
  const token = await issuer.idToken({ ...newSubject() });
  await open(token);
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
])('an id_token issued %i seconds ahead answers %i', async (seconds, status) => {
  const iat = NOW.getTime() / 1000 + seconds;
  expect((await open(await issuer.idToken({ ...newSubject(), iat }))).status).toBe(status);
});

async function allIdTokens() {
  return (await allItems(world)).filter(({ pk }) => String(pk).startsWith('ID_TOKEN#'));
}

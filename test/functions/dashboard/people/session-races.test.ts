import { expect, it } from 'vitest';
import { allItems } from '#test/support/table/invariants.ts';
import { newSubject, signedIn, type Subject } from '#test/support/callers/logins.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/opened-issuer.ts';

// People who sign in at the same moment as they, or others about them, do something else.

const world = openedWorld();
const issuer = openedIssuer();

const signIn = (subject: Subject) => signedIn(issuer, subject);
const replies = (people: readonly Subject[]) => Promise.all(people.map(signIn));

it('a race of first sign-ins of one person makes one account', async () => {
  const jane = newSubject();
  const sessions = await replies(Array.from({ length: 8 }, () => jane));
  expect(new Set(sessions.map(({ account }) => account.id)).size).toBe(1);
  expect(new Set(sessions.map(({ token }) => token)).size).toBe(8);
  expect((await allItems(world)).filter(({ sk, email }) => sk === 'ACCOUNT' && email === jane.email)).toHaveLength(1);
});

it('a race of two subjects with one new address makes one account', async () => {
  const jane = newSubject();
  const [one, other] = await replies([jane, { ...jane, sub: `second ${jane.sub}` }]);
  expect(one.account).toEqual(other.account);
});

it('a race of two accounts for one new address is won by one of them', async () => {
  const [jane, john, email] = [newSubject(), newSubject(), newAddress('both')];
  await replies([jane, john]);
  const sessions = await replies([
    { ...jane, email },
    { ...john, email },
  ]);
  const addresses = sessions.map(({ account }) => account.email);
  expect(addresses.filter((address) => address === email)).toHaveLength(1);
  const winner = sessions.find(({ account }) => account.email === email);
  expect(await world.items(`ACCOUNT_EMAIL#${email}`)).toMatchObject([{ accountId: winner.account.id }]);
});

import { describe, expect, it } from 'vitest';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { suspendAccount, unsuspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { allItems } from '#test/support/table/invariants.ts';
import {
  callBack,
  newSubject,
  openSession,
  pollFor,
  signedIn,
  started,
  type Subject,
} from '#test/support/callers/logins/logins.ts';
import { newAddress, ownerOf } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';

// Tests which account a sign-in belongs to.

const world = openedWorld();
const issuer = openedIssuer();

const signIn = (subject: Subject) => signedIn(issuer, subject);
const invite = (workspace: { id: number }, email: string) =>
  setMember(world.deps(), workspace.id, { email, role: 'member' });

describe('the account of a person who signs in', () => {
  it('is found at the next sign-in by the token’s issuer and subject', async () => {
    const jane = newSubject();
    const first = await signIn(jane);
    expect((await signIn(jane)).account).toEqual(first.account);
    expect(await world.items(`IDENTITY#https://issuer.test#${jane.sub}`)).toMatchObject([
      { accountId: first.account.id },
    ]);
  });

  it('is the same in the CLI and in the dashboard', async () => {
    const jane = newSubject();
    const state = await started();
    await callBack(state, await issuer.idToken({ ...jane }));
    const { body } = await pollFor(state);
    const { account } = await signIn(jane);
    expect(account.email).toBe(body.data.email);
    expect((await allItems(world)).filter(({ sk, email }) => sk === 'ACCOUNT' && email === jane.email)).toHaveLength(1);
  });

  it('is a different one if the subject differs in upper and lower case', async () => {
    const [jane, other] = [newSubject(), newSubject()];
    const first = await signIn(jane);
    expect((await signIn({ ...other, sub: jane.sub.toUpperCase() })).account.id).not.toBe(first.account.id);
  });

  it('is found by the e-mail address if the subject is new, and from then on by that subject too', async () => {
    const jane = newSubject();
    const first = await signIn(jane);
    const again = { sub: `second ${jane.sub}`, email: jane.email };
    expect((await signIn(again)).account.id).toBe(first.account.id);
    expect((await signIn({ ...again, email: newAddress() })).account.id).toBe(first.account.id);
    expect((await signIn({ ...jane, email: newAddress() })).account.id).toBe(first.account.id);
  });

  it('is found by an e-mail address with spaces around it or in upper case', async () => {
    const jane = newSubject();
    const first = await signIn(jane);
    const again = await signIn({ sub: `second ${jane.sub}`, email: ` ${jane.email.toUpperCase()} ` });
    expect(again.account).toEqual(first.account);
  });
});

describe('each sign-in', () => {
  it('stores the e-mail address and the name from the ID token, and keeps what the ID token omits', async () => {
    const jane = newSubject();
    const { account } = await signIn(jane);
    const email = newAddress('renamed');
    expect((await signIn({ ...jane, email, name: ' Jane Doe ' })).account).toEqual({
      id: account.id,
      email,
      name: 'Jane Doe',
    });
    expect((await signIn({ ...jane, email, name: ' ' })).account.name).toBe('Jane Doe');
    expect((await signIn({ ...jane, email, name: undefined })).account.name).toBe('Jane Doe');
    expect((await signIn({ ...jane, email, name: '\u202eJane\u001b[2J \u0085Doe\u2066' })).account.name).toBe(
      'Jane[2J Doe',
    );
    expect((await signIn({ ...jane, email, name: '\u0000\u200e' })).account.name).toBe('Jane[2J Doe');
    expect(await world.items(`ACCOUNT_EMAIL#${email}`)).toMatchObject([{ accountId: account.id }]);
  });

  it('frees the former e-mail address for another person', async () => {
    const jane = newSubject();
    const { account } = await signIn(jane);
    await signIn({ ...jane, email: newAddress() });
    expect(await world.items(`ACCOUNT_EMAIL#${jane.email}`)).toEqual([]);
    const other = await signIn({ sub: 'whoever took it over', email: jane.email });
    expect(other.account.id).not.toBe(account.id);
  });

  it('does not give the account an e-mail address that another account has', async () => {
    const [jane, john] = [newSubject(), newSubject()];
    const [janes, johns] = [await signIn(jane), await signIn(john)];
    const { account } = await signIn({ ...jane, email: john.email, name: 'Jane' });
    expect(account).toEqual({ id: janes.account.id, email: jane.email, name: 'Jane' });
    expect((await signIn(john)).account).toEqual(johns.account);
  });

  it('writes nothing about the account if nothing changed', async () => {
    const jane = newSubject();
    const { account } = await signIn(jane);
    const [before] = await world.items(`ACCOUNT#${account.id}`);
    await signIn(jane);
    expect((await world.items(`ACCOUNT#${account.id}`))[0]).toEqual(before);
  });
});

describe('an invitation to a workspace', () => {
  it('does not make a person a member at sign-in, but the dashboard and the CLI show the invitation', async () => {
    const { workspace, account: owner } = await ownerOf(world);
    const jane = newSubject();
    await invite(workspace, jane.email);
    const invitation = {
      workspace_id: workspace.id,
      name: workspace.name,
      role: 'member',
      invited_by: owner.name,
      invited_at: NOW.toISOString(),
    };
    expect(await signIn(jane)).toMatchObject({ workspace: null, invitations: [invitation] });
    const state = await started();
    await callBack(state, await issuer.idToken({ ...jane }));
    expect((await pollFor(state)).body.data.advertiser_id).toBeNull();
    const [item] = await world.items(`WORKSPACE#${workspace.id}`);
    expect(item?.members).toEqual([
      expect.anything(),
      { email: jane.email, role: 'member', invitedAt: NOW.toISOString() },
    ]);
    expect(await world.items(`INVITATION#${jane.email}`)).toHaveLength(1);
  });

  it('is shown to the account that has the invited e-mail address now', async () => {
    const { workspace } = await ownerOf(world);
    const jane = newSubject();
    const email = newAddress('new');
    await signIn(jane);
    await invite(workspace, email);
    expect((await signIn({ ...jane, email })).invitations).toMatchObject([{ workspace_id: workspace.id }]);
  });
});

describe('a suspended account', () => {
  it('is refused under every subject and does not change; after the suspension, the person can sign in again', async () => {
    const jane = newSubject();
    const { account } = await signIn(jane);
    await suspendAccount(world.deps(), jane.email);
    for (const person of [jane, { ...jane, email: newAddress(), name: 'Other' }, { sub: 'new', email: jane.email }]) {
      expect(await openSession(issuer, person)).toMatchObject({
        status: 403,
        body: { error: { details: { code: 'ACCOUNT_BLOCKED' } } },
      });
    }
    await unsuspendAccount(world.deps(), jane.email);
    expect((await signIn(jane)).account).toEqual(account);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { dyingAt } from '#test/support/table/each-call.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { memberOf, newAddress, ownerOf, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests that a person who left stays away until they accept again, and that closing the account forgets the person.

openProcessor();

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
});

const IBAN = 'DE89370400440532013000';
const SECOND = 'GB33BUKB20201555555555';
const bank = (iban = IBAN) => ({ method: 'bank', account_holder: 'Vera Victim', iban });
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);

/** Creates a partner by her own acceptance, with details and a recorded payout. */
async function vera(more: object = {}) {
  const person = await signedInAs(world, newAddress('vera'));
  const { email } = person.account;
  const added = await own.owner.post(`${own.path}/partners`, { name: 'Vera', email, ...more });
  const path = `${own.path}/partners/${added.body.data.id}`;
  await accepted(person, own.path);
  expect((await portal(person.token).put('/payout-details', bank())).status).toBe(200);
  await own.owner.post(`${path}/commissions`, { amount_cents: 100, currency: 'USD', reason: 'Bonus' });
  const made = await own.owner.post(`${own.path}/payouts`, { partner_id: added.body.data.id });
  return {
    ...person,
    email,
    path,
    id: added.body.data.id as number,
    payout: `${own.path}/payouts/${made.body.data.id}`,
  };
}

const file = async (payout: string, at = NOW): Promise<string> => (await own.owner.get(`${payout}.csv`, { at })).body;
const rowOf = async (path: string) => (await own.owner.get(path)).body.data;
const close = ({ token, account }: Person, confirm: unknown = account.email) =>
  portal(token).ask('DELETE', '/me', { confirm });
const gone = platformError(401, 'Invalid or expired token');

const programIdIn = (key: string) => /^PROGRAM#(\d+)/.exec(key)?.[1];

/** Expects that nothing of the person is stored except what payouts need, and audit entries and mails, which expire. */
async function expectForgotten({ account, token }: Person, writtenBy: readonly number[] = []): Promise<void> {
  expect(await world.items(`ACCOUNT#${account.id}`)).toEqual([]);
  expect(await world.items(`CREDENTIAL#${sha256(token)}`)).toEqual([]);
  const kept = (await allItems(world)).filter(({ pk }) => !/^(?:AUDIT|MAIL)#/.test(String(pk)));
  const text = JSON.stringify(kept.map((item) => ({ ...item, programIds: undefined })));
  const others = kept.filter(({ pk, sk, programIds }) => {
    const programs = programIds instanceof Set ? [...programIds] : [String(pk), String(sk)].map(programIdIn);
    return !programs.some((id) => writtenBy.includes(Number(id)));
  });
  expect(JSON.stringify(others.map((item) => ({ ...item, programIds: undefined })))).not.toContain(account.email);
  expect(text).not.toContain(`"accountId":${account.id}`);
}

describe('a brand', () => {
  it('cannot restore a partner who left, but can invite them; the partner is active again after accepting', async () => {
    const { path, token } = await vera();
    await portal(token).post(`${own.path}/leave`);
    expect((await own.owner.patch(path, { status: 'active' })).body).toEqual(
      platformError(409, 'Partner status cannot be changed to active. Current status: removed'),
    );
    expect((await own.owner.post(`${path}/invite`)).body.data).toMatchObject({ status: 'invited', has_account: false });
    await accepted({ token }, own.path);
    expect(await rowOf(path)).toMatchObject({ status: 'active', left_at: null, has_account: true });
  });

  it('can restore a partner whom it removed; the partner shares payout details again only after accepting', async () => {
    const { path, token } = await vera();
    await own.owner.patch(path, { status: 'removed' });
    expect(await rowOf(path)).toMatchObject({ has_account: false, payout: null });
    expect((await own.owner.patch(path, { status: 'active' })).body.data).toMatchObject({ has_account: false });
    await accepted({ token }, own.path);
    expect(await rowOf(path)).toMatchObject({ has_account: true });
  });
});

describe('DELETE /payout-details', () => {
  it('deletes the details everywhere, including in files of older payouts, and can be repeated', async () => {
    const { token, path, payout } = await vera();
    const { ask, post, get, put } = portal(token);
    await post(`${own.path}/leave`);
    expect(await file(payout)).toContain(IBAN);
    for (let n = 0; n < 2; n += 1) {
      expect((await ask('DELETE', '/payout-details')).body).toEqual({ data: { deleted: true } });
    }
    expect((await get('/payout-details')).body).toEqual({ data: null });
    expect(await file(payout)).not.toContain(IBAN);
    await own.owner.post(`${path}/invite`);
    await accepted({ token }, own.path);
    expect((await put('/payout-details', bank(SECOND))).status).toBe(200);
    for (const at of [NOW, hours(30)]) expect(await file(payout, at)).not.toContain(SECOND);
  });

  it('does not end the hold on payouts that began when the details were changed', async () => {
    const { token, payout, path } = await vera();
    const { ask, put } = portal(token);
    await put('/payout-details', bank(SECOND));
    await ask('DELETE', '/payout-details');
    await put('/payout-details', { method: 'paypal', email: 'thief@example.com' });
    expect(await file(payout)).toContain(',held,');
    expect((await rowOf(path)).payout.held_until).toBe(hours(24).toISOString());
  });
});

/** Creates the same person, who has deleted details during their hold. */
const withoutHeld = async () => {
  const person = await vera();
  const { ask, put } = portal(person.token);
  expect((await put('/payout-details', bank(SECOND))).status).toBe(200);
  expect(await rowOf(person.path)).toMatchObject({ payout: { held_until: hours(24).toISOString() } });
  expect((await ask('DELETE', '/payout-details')).body).toEqual({ data: { deleted: true } });
  return person;
};

/** The records that workspaces keep of ended shares. */
const shares = async ({ account }: Person) =>
  (await world.items(`ACCOUNT#${account.id}`)).filter(({ details }) => details !== undefined);

describe('a person who deletes payout details while a recent change keeps payouts on hold', () => {
  it('can leave the program, be invited again and accept', async () => {
    const person = await withoutHeld();
    const { post } = portal(person.token);
    expect((await post(`${own.path}/leave`)).body).toEqual({ data: { left: true } });
    expect(await shares(person)).toMatchObject([{ endedAt: NOW.toISOString(), details: null }]);
    expect((await own.owner.post(`${person.path}/invite`)).status).toBe(200);
    await accepted(person, own.path);
    expect(await rowOf(person.path)).toMatchObject({ status: 'active', has_account: true, payout: null });
  });

  it('can be removed by the brand and restored', async () => {
    const { path, token } = await withoutHeld();
    expect((await own.owner.patch(path, { status: 'removed' })).body.data).toMatchObject({ status: 'removed' });
    expect((await own.owner.patch(path, { status: 'active' })).body.data).toMatchObject({ status: 'active' });
    await accepted({ token }, own.path);
    expect(await rowOf(path)).toMatchObject({ has_account: true, payout: null });
  });

  it('still has payouts on hold in programs that the person joins afterwards', async () => {
    const person = await withoutHeld();
    const other = await ownedBrand(world);
    const added = await other.owner.post(`${other.path}/partners`, { name: 'V', email: person.email });
    await accepted(person, other.path);
    const holds = await world.items(`PROGRAM#${other.program.id}`);
    expect(holds.filter(({ sk }) => String(sk).startsWith('PAYOUT_HOLD#'))).toMatchObject([
      { partnerId: added.body.data.id, accountId: person.account.id, heldUntil: hours(24).toISOString() },
    ]);
  });

  it('can close the account', async () => {
    expect((await close(await withoutHeld())).body).toEqual({ data: { closed: true } });
  });
});

describe('DELETE /me', () => {
  it('deletes the person’s data and leaves the payouts unchanged', async () => {
    const person = await vera();
    const invited = await ownedBrand(world);
    const asked = await invited.owner.post(`${invited.path}/partners`, {
      name: 'V',
      email: person.email,
      invite: true,
    });
    const other = await ownedBrand(world);
    const listed = await other.owner.post(`${other.path}/partners`, { name: 'V', email: person.email });
    const written = [
      `${invited.path}/partners/${asked.body.data.id}`,
      `${other.path}/partners/${listed.body.data.id}`,
    ] as const;
    const before = [await invited.owner.get(written[0]), await other.owner.get(written[1])].map(({ body }) => body);
    const team = await ownerOf(world);
    const link = await portal(person.token).post(`${own.path}/links`, {});
    expect(link.status).toBe(200);
    expect((await close(person, 'else@where.test')).body).toEqual(
      platformError(400, 'confirm must be the address of the account'),
    );
    expect((await close(person, null)).status).toBe(400);
    expect((await close(person, ` ${person.email.toUpperCase()} `)).body).toEqual({ data: { closed: true } });
    expect((await portal(person.token).get('/me')).body).toEqual(gone);
    // Data that two brands entered without the person's consent belongs to them and reveals nothing.
    await expectForgotten(person, [invited.program.id, other.program.id]);
    expect([await invited.owner.get(written[0]), await other.owner.get(written[1])].map(({ body }) => body)).toEqual(
      before,
    );
    expect(await rowOf(person.path)).toMatchObject({
      id: person.id,
      name: 'Vera',
      email: null,
      status: 'removed',
      has_account: false,
      payout: null,
    });
    expect((await own.owner.get(person.payout)).body.data.items).toMatchObject([
      { partner_id: person.id, partner_name: 'Vera', partner_email: null, amount_cents: 100 },
    ]);
    expect(await file(person.payout)).toMatch(/,Vera,,USD,100,1,,,,yes,2-USD,recorded,1\.00,{12}\r\n$/);
    const again = await signedInAs(world, person.email);
    expect(again.account.id).not.toBe(person.account.id);
    expect((await portal(again.token).get('/me')).body.data.programs).toMatchObject([
      { program_id: invited.program.id, status: 'invited' },
      { program_id: other.program.id, status: 'invited' },
    ]);
    for (const [step, to] of [
      [() => own.owner.patch(person.path, { status: 'active' }), 'active'],
      [() => own.owner.post(`${person.path}/invite`), 'invited'],
    ] as const) {
      expect((await step()).body).toEqual(
        platformError(409, `Partner status cannot be changed to ${to}. Current status: removed`),
      );
    }
    expect((await own.owner.patch(person.path, { email: person.email })).body).toEqual(
      platformError(409, 'Partner is removed from the program'),
    );
    const added = await own.owner.post(`${own.path}/partners`, { name: 'Vera', email: person.email });
    expect(added.body.data.id).not.toBe(person.id);
    expect(team.workspace.members).toHaveLength(1);
  });

  it('removes the person’s data from all programs of a workspace if the person had accepted in one of them', async () => {
    const person = await vera();
    const created = await own.owner.post('/programs', {
      name: 'Second',
      domain: 'second.test',
      commission_type: 'percent',
      commission_rate: 10,
    });
    const second = `/programs/${created.body.data.id}/partners`;
    const listed = await own.owner.post(second, { name: 'Vera', email: person.email });
    expect(listed.body.data.id).toBe(person.id);
    await portal(person.token).get('/me');
    expect((await close(person)).status).toBe(200);
    await expectForgotten(person);
    for (const path of [person.path, `${second}/${person.id}`]) {
      expect(await rowOf(path)).toMatchObject({ status: 'removed', email: null });
    }
    const again = await own.owner.post(second, { name: 'Vera', email: person.email });
    expect(again.body.data.id).not.toBe(person.id);
  });

  it('leaves an invitation to a workspace for the next owner of the e-mail address', async () => {
    const person = await signedInAs(world, newAddress('vera'));
    const { email } = person.account;
    await own.owner.post('/workspace/members', { email, role: 'member' });
    const before = (await own.owner.get('/workspace/members')).body;
    expect((await close(person)).status).toBe(200);
    expect((await own.owner.get('/workspace/members')).body).toEqual(before);
    const again = await signedInAs(world, email);
    expect((await dashboard(again.token).get('/me')).body.data.invitations).toMatchObject([{ role: 'member' }]);
  });

  it('answers 409 for the last owner of a workspace and changes nothing', async () => {
    const owner = await ownerOf(world);
    const before = await world.items(`ACCOUNT#${owner.account.id}`);
    expect((await close(owner)).body).toEqual(platformError(409, 'A workspace needs at least one owner'));
    expect(await world.items(`ACCOUNT#${owner.account.id}`)).toEqual(before);
    const second = await memberOf(world, owner.workspace, 'owner');
    expect((await close(owner)).status).toBe(200);
    await expectForgotten(owner);
    expect((await close(second)).status).toBe(409);
  });

  it(
    'can be completed by a repetition or by the operator if the process crashes after any call',
    { tags: 'deep' },
    async () => {
      for (const isLast of [false, true]) {
        for (let n = 1, isThere = true; isThere; n += 3) {
          const person = await vera();
          isThere = await dyingAt(n, isLast, () => close(person));
          // If the last call succeeded, the account is already closed.
          await operator(world, `account close --email ${person.email}`);
          await expectForgotten(person);
          expect(await rowOf(person.path)).toMatchObject({ status: 'removed', email: null });
        }
      }
    },
  );

  it('closes the account once when called twice in parallel', async () => {
    const person = await vera();
    const twice = await Promise.all([close(person), close(person)]);
    expect(statusesOf(twice).every((status) => [200, 401].includes(status))).toBe(true);
    await expectForgotten(person);
  });

  it('leaves no valid token if the person signs in at the same moment', async () => {
    const person = await vera();
    const [again] = await Promise.all([signedInAs(world, person.email), close(person)]);
    const { body } = await portal(again.token).get('/me');
    expect(body.data?.programs ?? body).toEqual(again.account.id === person.account.id ? gone : []);
    expect(await world.items(`ACCOUNT#${person.account.id}`)).toEqual([]);
    const later = await signedInAs(world, person.email);
    expect(later.account.id).not.toBe(person.account.id);
  });

  it('prevails over a change of details, a join or an acceptance in parallel, which are answered 401', async () => {
    const open = await ownedBrand(world);
    await open.owner.patch(open.path, { join: 'open' });
    for (const change of [
      ({ token }: Person) => portal(token).put('/payout-details', bank(SECOND)),
      ({ token }: Person) => portal(token).post(`/join/${open.program.id}`, {}),
    ]) {
      const person = await vera();
      const late = await failing(
        'write',
        overtakenBy(() => close(person)),
        () => change(person),
      );
      expect(late.body).toEqual(platformError(401, 'User not found'));
      await expectForgotten(person);
    }
  });
});

describe('a closed account', () => {
  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['the person in the portal', (person) => close(person)],
    ['the operator', ({ account }) => operator(world, `account close --email ${account.email}`)],
  ])('gets one mail about the closing and none afterwards, if it is closed by %s', async (_, closing) => {
    const { account, token } = await vera();
    await Promise.all([closing({ account, token }), closing({ account, token })]);
    const mails = await world.items(
      `MAIL#${mailIdOf({ kind: 'account_closed', fact: String(account.id) }, account.email)}`,
    );
    expect(mails).toMatchObject([
      {
        kind: 'account_closed',
        to: { email: account.email, name: account.name },
        status: 'waiting',
        expires_at: expect.any(Number),
      },
    ]);
    expect(mails[0]!.to).not.toHaveProperty('accountId');
    await expectForgotten({ account, token });
  });
});

describe('the operator’s command `account close`', () => {
  it('deletes the same data as closing the account in the portal', async () => {
    const person = await vera();
    expect(await operated(world, `account close --email ${person.email}`)).toEqual({
      account_id: person.account.id,
      closed: true,
    });
    await expectForgotten(person);
    expect(await refusedWith(world, `account close --email ${person.email}`)).toBe(
      `No account has the e-mail ${person.email}`,
    );
  });
});

const auditOf = async () => (await own.owner.get('/workspace/audit')).body.data as Record<string, unknown>[];

const rowsBy = async (kind: string, id: number) =>
  (await auditOf()).filter(({ actor }) => JSON.stringify(actor).startsWith(`{"kind":"${kind}","id":${id},`));

describe('the audit trail of a workspace', () => {
  it('shows the current e-mail address of each person who acted, and none for a closed account', async () => {
    await own.owner.patch(own.path, { join: 'open' });
    const joined = await signedInAs(world, newAddress('joined'));
    await portal(joined.token).post(`/join/${own.program.id}`, {});
    await portal(joined.token).put('/payout-details', bank());
    const { account, token } = await memberOf(world, { id: own.program.workspaceId }, 'owner');
    await dashboard(token).patch(own.path, { name: 'By the member' });
    const people = [joined.account, account] as const;
    for (const [index, { email, id }] of people.entries()) {
      const rows = await rowsBy(index === 0 ? 'partner' : 'account', id);
      expect(rows.length).toBeGreaterThan(0);
      for (const { actor } of rows) expect(actor).toMatchObject({ email });
    }
    await own.owner.post('/workspace/members', { email: account.email, role: 'member' });
    expect((await auditOf()).find(({ action }) => action === 'member.changed')).toMatchObject({
      target: { type: 'member', id: String(account.id), name: account.email },
    });
    await close(joined);
    await close({ token, account });
    const rows = await auditOf();
    for (const [index, { id, name }] of people.entries()) {
      const acts = await rowsBy(index === 0 ? 'partner' : 'account', id);
      for (const { actor } of acts) expect(actor).toMatchObject({ id, name, email: null });
    }
    expect(rows.find(({ action }) => action === 'member.removed')).toMatchObject({
      actor: { id: account.id, email: null },
      target: { type: 'member', id: String(account.id), name: null },
    });
    // Data entered by the brand itself stays.
    const others = rows.filter(({ action }) => action !== 'member.invited');
    for (const { email } of people) expect(JSON.stringify(others)).not.toContain(email);
    const stored = await world.items(`AUDIT#${own.program.workspaceId}`);
    const ownActs = stored.filter(({ action }) => action !== 'member.invited');
    for (const { email } of people) expect(JSON.stringify(ownActs)).not.toContain(email);
  });

  it('loads the e-mail addresses for a page of rows in one batch', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { token } = await memberOf(world, { id: own.program.workspaceId }, 'owner');
      await dashboard(token).patch(own.path, { name: `Name ${n}` });
    }
    const counts = [];
    for (const limit of [1, 100]) {
      counts.push((await sentCalls(() => own.owner.get(`/workspace/audit?limit=${limit}`))).length);
    }
    expect(counts[0]).toBe(counts[1]);
  });

  it('does not show a name that is an e-mail address', async () => {
    const email = newAddress('kim');
    const added = await own.owner.post(`${own.path}/partners`, { name: email, email });
    const path = `${own.path}/partners/${added.body.data.id}`;
    const kim = await signedInAs(world, email);
    await accepted(kim, own.path);
    await close(kim);
    expect(await rowOf(path)).toMatchObject({ name: email.split('@')[0], email: null });
  });
});

import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { invitePeople } from '#lib/service/programs/invitations/invite-people.ts';
import { invitationNotTried } from '#lib/service/ground/values/refusals.ts';
import { accepted, programOf } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const terms = { commission_type: 'percent', commission_rate: 25 };
const LIMITED = /^This invitation cannot be sent now: a person gets few invitations a week/;
const TWICE = 'This address is in the list twice';

/** All items but rate-limit windows and reserved ids. */
const lasting = async () => (await allItems(world)).filter(({ pk }) => !/^(WINDOW|SALT|SEQUENCE)#/.test(String(pk)));

const ready = (email: string) => ({ email, status: 'ready', partner_id: null, error: null });
const invited = (email: string) => ({ email, status: 'invited', partner_id: expect.any(Number), error: null });
const refusedAs = (email: string, error: unknown) => ({ email, status: 'refused', partner_id: null, error });

describe('POST /programs/{id}/partners with a group, a link name and a code', () => {
  it('puts an invited person into the group at once, and creates the link and the code when the person accepts', async () => {
    const { user, url, id, item, row } = await programOf(world);
    await user.post(`${url}/groups`, { name: 'Creators', terms });
    const person = await signedInAs(world);
    const reply = await user.post(`${url}/partners`, {
      name: 'Ben',
      email: person.account.email,
      invite: true,
      group_id: 1,
      short_link: `ben-${id}`,
      code: `BEN${id}`,
    });
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'invited', group_id: 1, links: [] } } });
    const { id: partnerId, terms_in_force: inForce } = reply.body.data;
    const promised = { promised_link: `ben-${id}`, promised_code: `BEN${id}` };
    expect(reply.body.data).toMatchObject(promised);
    expect(await row(partnerId)).toMatchObject(promised);
    expect((await user.get(`${url}/partners`)).body.data).toContainEqual(expect.objectContaining(promised));
    expect(inForce).toMatchObject({ commission_rate: 25, from: 'group', name: 'Creators' });
    expect(await item(partnerId)).toMatchObject({ wishedLink: `ben-${id}`, wishedCode: `BEN${id}` });
    expect((await user.get(`${url}/codes`)).body.data).toEqual([]);
    await accepted(person, url);
    await accepted(person, url);
    const kept = { status: 'active', links: [`ben-${id}`], promised_link: null, promised_code: null };
    expect(await row(partnerId)).toMatchObject(kept);
    expect((await user.get(`${url}/codes`)).body.data).toMatchObject([
      { code: `BEN${id}`, partner_id: partnerId, status: 'active', created_at: NOW.toISOString() },
    ]);
  });

  it('creates no code at acceptance if another partner got the same code in the meantime', async () => {
    const { user, url, id, add } = await programOf(world);
    const person = await signedInAs(world);
    const code = `GIVEN${id}`;
    await user.post(`${url}/partners`, { name: 'Ben', email: person.account.email, invite: true, code });
    const other = await add(newAddress());
    expect((await user.post(`${url}/codes`, { partner_id: other, code: code.toLowerCase() })).status).toBe(200);
    await accepted(person, url);
    expect((await user.get(`${url}/codes`)).body.data).toMatchObject([{ partner_id: other }]);
  });

  it('gives a code to only one of two people who accept in parallel, and both become partners', async () => {
    const { user, url, id, row } = await programOf(world);
    const people = await Promise.all([1, 2].map(() => signedInAs(world)));
    const ids = [];
    for (const { account } of people) {
      const wanted = { name: 'Ben', email: account.email, invite: true, code: `BOTH${id}` };
      ids.push((await user.post(`${url}/partners`, wanted)).body.data.id as number);
    }
    await Promise.all(people.map((person) => accepted(person, url)));
    for (const partnerId of ids) expect(await row(partnerId)).toMatchObject({ joined_at: NOW.toISOString() });
    expect((await user.get(`${url}/codes`)).body.data).toHaveLength(1);
  });

  it('creates the link and the code at once for a partner who is added without an invitation', async () => {
    const { user, url, id } = await programOf(world);
    await user.post(`${url}/groups`, { name: 'Creators', terms });
    const wanted = { name: 'Ben', email: newAddress(), group_id: 1, code: `NOW${id}`, short_link: `now-${id}` };
    const { body } = await user.post(`${url}/partners`, wanted);
    expect(body.data).toMatchObject({ status: 'active', group_name: 'Creators', links: [`now-${id}`] });
    expect((await user.get(`${url}/codes`)).body.data).toMatchObject([{ code: `NOW${id}`, partner_id: body.data.id }]);
  });

  it('refuses a taken code or link name, invalid fields and an unknown group, and then changes nothing', async () => {
    const { user, url, id, add } = await programOf(world);
    const partnerId = await add(newAddress());
    await user.post(`${url}/codes`, { partner_id: partnerId, code: `TAKEN${id}` });
    await user.post(`${url}/links`, { partner_id: partnerId, short_link: `taken-${id}` });
    const before = await lasting();
    const ask = (more: object) => user.post(`${url}/partners`, { name: 'Ben', email: newAddress(), ...more });
    for (const invite of [true, false]) {
      expect(await ask({ invite, code: `taken${id}` })).toMatchObject(refusal(409, 'This code is already in use'));
      expect(await ask({ invite, short_link: `taken-${id}` })).toMatchObject(
        refusal(409, 'short_link is already taken'),
      );
      expect(await ask({ invite, short_link: 'afftest1' })).toMatchObject(refusal(409, 'short_link is already taken'));
      expect(await ask({ invite, group_id: 7 })).toMatchObject(refusal(404, 'Group not found'));
      expect(await ask({ invite, group_id: 'x' })).toMatchObject(refusal(404, 'Group not found'));
      const form = 'must be 3 to 64';
      expect(await ask({ invite, code: 'a b' })).toMatchObject(refusal(400, `code ${form} letters, digits, - or _`));
      expect(await ask({ invite, short_link: 'a' })).toMatchObject(
        refusal(400, `short_link ${form} characters of A-Z, a-z, 0-9, _ and -`),
      );
    }
    expect(await lasting()).toEqual(before);
  });

  it('accepts a group only from owners', async () => {
    const { user, url, brand } = await programOf(world);
    await user.post(`${url}/groups`, { name: 'Creators', terms });
    const member = dashboard((await memberOf(world, { id: brand.program.workspaceId })).token);
    const wanted = { name: 'Ben', email: newAddress(), invite: true };
    const owners = 'Only a workspace owner can do this';
    expect(await member.post(`${url}/partners`, { ...wanted, group_id: 1 })).toMatchObject(refusal(403, owners));
    const other = { name: 'Cid', email: newAddress() };
    const { body } = await member.post(`${url}/invitations`, {
      invitations: [{ ...wanted, group: 'Creators' }, other],
    });
    expect(body.data).toEqual([refusedAs(wanted.email, owners), invited(other.email)]);
  });
});

const LATER = new Date(NOW.getTime() + 30 * 86_400_000);

/** A program that offers better terms, a link and a code to a person, who then does not accept. */
async function offered(join: 'open' | 'apply') {
  const its = await programOf(world, { join });
  const { user, url, id } = its;
  await user.post(`${url}/groups`, { name: 'Creators', terms });
  const { token, account } = await signedInAs(world);
  const offer = { group_id: 1, short_link: `offer-${id}`, code: `OFFER${id}` };
  const { body } = await user.post(`${url}/partners`, { name: 'Ben', email: account.email, invite: true, ...offer });
  const person = portal(token);
  await person.get('/me');
  return { ...its, person, token, partnerId: body.data.id as number };
}

const ends: Readonly<Record<string, (its: Awaited<ReturnType<typeof offered>>) => Promise<unknown>>> = {
  'the brand has withdrawn': ({ user, url, partnerId }) => user.post(`${url}/partners/${partnerId}/withdraw`),
  'the person has declined': ({ person, url }) => person.post(`${url}/decline`),
  'has run out': async () => {},
};

describe('the group, link and code of an invitation that has ended', () => {
  it.each(Object.entries(ends))('are not given to a person who joins by the open program if it %s', async (_, end) => {
    const its = await offered('open');
    await end(its);
    const { person, user, url, id, partnerId, row, item } = its;
    expect((await person.post(`/join/${id}`, {}, { at: LATER })).body.data).toEqual({ status: 'active' });
    expect(await row(partnerId)).toMatchObject({
      group_id: null,
      terms_in_force: { commission_rate: 20, from: 'program' },
      links: [expect.stringMatching(/^ben/)],
    });
    expect((await user.get(`${url}/codes`)).body.data).toEqual([]);
    expect((await user.get('/workspace/audit')).body.data).toContainEqual(
      expect.objectContaining({ action: 'partner.changed', changes: { group_id: { from: 1, to: null } } }),
    );
    expect(await world.items('DUE_MAILS')).toEqual([]);
    expect(await item(partnerId)).not.toHaveProperty('wishedCode');
    expect(await item(partnerId)).not.toHaveProperty('wishedLink');
  });

  it('are not given to a person who applies later and is accepted', async () => {
    const its = await offered('apply');
    const { person, user, url, id, partnerId, row } = its;
    await user.post(`${url}/partners/${partnerId}/withdraw`);
    expect((await person.post(`/join/${id}`, {})).body.data).toEqual({ status: 'applied' });
    expect(await row(partnerId)).toMatchObject({ group_id: null, terms_in_force: { from: 'program' } });
    await user.post(`${url}/partners/${partnerId}/accept`);
    expect(await row(partnerId)).toMatchObject({ status: 'active', links: [expect.stringMatching(/^ben/)] });
    expect((await user.get(`${url}/codes`)).body.data).toEqual([]);
  });

  it('and personal terms end when the person joins on their own', async () => {
    const { person, user, url, id, partnerId, row } = await offered('open');
    await user.patch(`${url}/partners/${partnerId}`, { terms });
    await user.post(`${url}/partners/${partnerId}/withdraw`);
    await person.post(`/join/${id}`, {}, { at: LATER });
    expect(await row(partnerId)).toMatchObject({ group_id: null, terms: null, terms_in_force: { from: 'program' } });
    expect((await user.get(`${url}/terms`)).body.data[0]).toMatchObject({
      from: 'partner',
      id: partnerId,
      status: 'past',
      ended_at: LATER.toISOString(),
    });
  });

  it('are given to a person whom the brand invites again', async () => {
    const { user, url, id, partnerId, row, token } = await offered('open');
    await user.post(`${url}/partners/${partnerId}/withdraw`);
    const again = new Date(NOW.getTime() + 8 * 86_400_000);
    expect((await user.post(`${url}/partners/${partnerId}/invite`, {}, { at: again })).status).toBe(200);
    await accepted({ token }, url, again);
    expect(await row(partnerId)).toMatchObject({ group_name: 'Creators', links: [`offer-${id}`] });
    expect((await user.get(`${url}/codes`)).body.data).toMatchObject([{ code: `OFFER${id}` }]);
  });

  it('are not given to a rejected person who applies again, but those given to an applicant are', async () => {
    const { user, url, id, row, applicant } = await programOf(world, { join: 'apply' });
    await user.post(`${url}/groups`, { name: 'Creators', terms });
    const { token, partnerId } = await applicant();
    await user.patch(`${url}/partners/${partnerId}`, { group_id: 1 });
    await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'Off topic' });
    await portal(token).post(`/join/${id}`, {}, { at: LATER });
    expect(await row(partnerId)).toMatchObject({ status: 'applied', group_id: null });
    await user.patch(`${url}/partners/${partnerId}`, { group_id: 1 });
    await user.patch(url, { join: 'open' });
    await portal(token).post(`/join/${id}`, {}, { at: LATER });
    expect(await row(partnerId)).toMatchObject({ status: 'active', group_name: 'Creators' });
  });
});

/** Statuses of 53 lines, of which the second is an alias of the first, and the last two exceed the day's limit. */
const statusesBeyondLimit = (ofFirst: string) => [
  ofFirst,
  'refused',
  ...Array.from({ length: 49 }, () => ofFirst),
  'refused',
  'refused',
];

describe('POST /programs/{id}/invitations, which invites a list of people,', () => {
  it('reports each line separately and in order; a preview gets the same report and writes nothing', async () => {
    const { user, url, id, add } = await programOf(world);
    await user.post(`${url}/groups`, { name: 'Creators', terms });
    const known = newAddress();
    const holder = await add(known);
    await user.post(`${url}/codes`, { partner_id: holder, code: `OLD${id}` });
    const [ana, ben, cid, dan] = [1, 2, 3, 4].map(() => newAddress('line'));
    const invitations = [
      { name: 'Ana', email: ` ${ana!.toUpperCase()} `, group: 'creators', code: `ANA${id}`, short_link: `ana-${id}` },
      { name: 'Ben', email: ben, group: 1, code: null },
      { name: 'Ben again', email: ben },
      { name: 'Known', email: known },
      { name: 'Cid', email: 'cid' },
      { email: cid },
      { name: 'Dan', email: dan, group: 'Unknown' },
      { name: 'Dan', email: dan, code: `old${id}` },
      {},
    ];
    const refused = [
      refusedAs(ben!, TWICE),
      refusedAs(known, 'This partner is already in the program'),
      refusedAs('cid', 'email must be a valid e-mail address'),
      refusedAs(cid!, 'Missing required fields: name, email'),
      refusedAs(dan!, 'Group not found'),
      refusedAs(dan!, TWICE),
      refusedAs('', 'Missing required fields: name, email'),
    ];
    const before = await lasting();
    const preview = await user.post(`${url}/invitations`, { invitations, preview: true });
    expect(preview).toMatchObject({ status: 200 });
    expect(preview.body).toEqual({ data: [ready(ana!), ready(ben!), ...refused] });
    expect(await lasting()).toEqual(before);
    const sent = await user.post(`${url}/invitations`, { invitations, preview: false });
    expect(sent.body).toEqual({ data: [invited(ana!), invited(ben!), ...refused] });
    const [{ partner_id: anaId }, { partner_id: benId }] = sent.body.data;
    expect((await user.get(`${url}/partners?status=invited`)).body.data).toMatchObject([
      { id: anaId, name: 'Ana', email: ana, group_name: 'Creators' },
      { id: benId, name: 'Ben', email: ben, group_name: 'Creators' },
    ]);
    const mails = (await lasting()).filter(({ kind }) => kind === 'partner_invited');
    const mailed = mails.map(({ to }) => (to as { email: string }).email);
    expect(mailed.filter((to) => [ana, ben].includes(to))).toHaveLength(2);
    expect(mailed).toEqual(expect.arrayContaining([ana, ben]));
    // A repeated list invites no one twice.
    const again = await user.post(`${url}/invitations`, { invitations: invitations.slice(0, 2) });
    const already = 'This partner is already in the program';
    expect(again.body.data).toEqual([refusedAs(ana!, already), refusedAs(ben!, already)]);
  });

  it('refuses the lines above the daily limit, even in a preview; two addresses of one mailbox count as one', async () => {
    const { user, url } = await programOf(world);
    const lines = Array.from({ length: 52 }, (_, n) => ({ name: `P ${n}`, email: newAddress('limit') }));
    const alias = { name: 'Alias', email: lines[0]!.email.replace('@', '+again@') };
    const invitations = [lines[0]!, alias, ...lines.slice(1)];
    for (const preview of [true, false]) {
      const { body } = await user.post(`${url}/invitations`, { invitations, preview });
      expect(body.data.map(({ status }: { status: string }) => status)).toEqual(
        statusesBeyondLimit(preview ? 'ready' : 'invited'),
      );
      expect(body.data.at(-1)).toEqual(refusedAs(lines.at(-1)!.email, expect.stringMatching(LIMITED)));
      expect(body.data[1]).toEqual(refusedAs(alias.email, expect.stringMatching(LIMITED)));
    }
    const tomorrow = new Date(NOW.getTime() + 86_400_000);
    const rest = await user.post(`${url}/invitations`, { invitations: lines.slice(50) }, { at: tomorrow });
    expect(rest.body.data.map(({ status }: { status: string }) => status)).toEqual(['invited', 'invited']);
  });

  it('refuses all lines if the program is paused, and the lines above the program’s maximum of partners, in a preview too', async () => {
    const { user, url, id } = await programOf(world);
    const invitations = [1, 2].map((n) => ({ name: `P ${n}`, email: newAddress() }));
    await world.deps().table.update(keys.program(id), { set: { candidateCount: 9_999 } });
    const full = await user.post(`${url}/invitations`, { invitations, preview: true });
    const most = 'A program has at most 10000 partners';
    expect(full.body.data).toEqual([ready(invitations[0]!.email), refusedAs(invitations[1]!.email, most)]);
    await user.patch(url, { status: 'paused' });
    for (const preview of [true, false]) {
      const { body } = await user.post(`${url}/invitations`, { invitations, preview });
      expect(body.data).toEqual(invitations.map(({ email }) => refusedAs(email, 'Program is paused')));
    }
  });

  it('refuses the lines that the request has no time left for; they can be sent again', async () => {
    const { id } = await programOf(world);
    const email = newAddress();
    const deps = { ...world.deps(), deadline: AbortSignal.abort() };
    const answers = await invitePeople(deps, id, [{ email, read: () => ({ name: 'Ben', email }) }], false);
    expect(answers).toEqual([{ email, status: 'refused', error: invitationNotTried() }]);
  });

  it.each<[object, string]>([
    [{}, 'invitations must be a list of 1 to 200 invitations'],
    [{ invitations: [] }, 'invitations must be a list of 1 to 200 invitations'],
    [{ invitations: ['ana@people.test'] }, 'invitations must be a list of 1 to 200 invitations'],
    [{ invitations: Array.from({ length: 201 }, () => ({})) }, 'invitations must be a list of 1 to 200 invitations'],
    [{ invitations: [{}], preview: 'yes' }, 'preview must be a boolean'],
  ])('refuses the body %j with the message “%s”', async (body, message) => {
    const { user, url } = await programOf(world);
    expect(await user.post(`${url}/invitations`, body)).toMatchObject(refusal(400, message));
  });

  it('invites each person once if the same list is sent twice in parallel', async () => {
    const { user, url } = await programOf(world);
    const invitations = Array.from({ length: 5 }, () => ({ name: 'P', email: newAddress('race') }));
    const replies = await Promise.all([1, 2].map(() => user.post(`${url}/invitations`, { invitations })));
    expect(statusesOf(replies)).toEqual([200, 200]);
    for (const [index, { email }] of invitations.entries()) {
      const answers = replies.map(({ body }) => body.data[index]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['invited', 'refused']));
      expect(answers.find(({ status }) => status === 'refused')).toEqual(
        // The loser sees the winner's partner, or only the count of the invitation, which is read later.
        refusedAs(
          email,
          expect.stringMatching(/^This (partner is already in the program|invitation cannot be sent now)/),
        ),
      );
    }
    expect((await user.get(`${url}/partners?status=invited`)).body.data).toHaveLength(5);
  });
});

it('a person who was invited with a code also gets the code by joining on the program’s public page', async () => {
  const { user, url, id } = await programOf(world, { join: 'open' });
  const person = await signedInAs(world);
  const wanted = { name: 'Ben', email: person.account.email, invite: true, code: `OPEN${id}` };
  const { id: partnerId } = (await user.post(`${url}/partners`, wanted)).body.data;
  expect((await portal(person.token).post(`/join/${id}`, {})).status).toBe(200);
  expect((await user.get(`${url}/codes`)).body.data).toMatchObject([{ code: `OPEN${id}`, partner_id: partnerId }]);
});

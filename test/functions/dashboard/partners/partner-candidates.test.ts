import { describe, expect, it } from 'vitest';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, ownerOf } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const refused = (to: string, status: string) =>
  platformError(409, `Partner status cannot be changed to ${to}. Current status: ${status}`);

describe('POST /programs/{id}/partners with the field invite', () => {
  it('as true invites the person, who is not yet a partner and not counted as one', async () => {
    const { user, url, id, item, program } = await programOf(world);
    const before = await program();
    const email = newAddress();
    const { status, body } = await user.post(`${url}/partners`, { name: 'Ben', email, invite: true });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'invited',
      joined_at: null,
      invited_at: NOW.toISOString(),
      has_account: false,
    });
    expect(await item(body.data.id)).toEqual({
      pk: `PROGRAM#${id}`,
      sk: `PARTNER#${body.data.id}`,
      gsi1pk: `PROGRAM#${id}#CANDIDATES`,
      gsi1sk: `${NOW.toISOString()}#${body.data.id}`,
      id: body.data.id,
      programId: id,
      name: 'Ben',
      email,
      status: 'invited',
      links: [],
      invitedAt: NOW.toISOString(),
      createdAt: NOW.toISOString(),
    });
    expect(await program()).toEqual({ ...before, candidateCount: 1 });
  });

  it('as false adds a partner, and answers 400 if the field is neither true nor false', async () => {
    const { user, url } = await programOf(world);
    const add = (invite: unknown) => user.post(`${url}/partners`, { name: 'Ben', email: newAddress(), invite });
    expect((await add(false)).body.data.status).toBe('active');
    expect((await add('yes')).body).toEqual(platformError(400, 'invite must be a boolean'));
  });

  it('as true answers 409 if the program is paused, is full or already has the person', async () => {
    const { user, url, id } = await programOf(world);
    const wanted = { name: 'Ben', email: newAddress(), invite: true };
    await user.post(`${url}/partners`, wanted);
    expect((await user.post(`${url}/partners`, wanted)).body).toEqual(
      platformError(409, 'This partner is already in the program'),
    );
    const other = { ...wanted, email: newAddress() };
    const { table } = world.deps();
    await table.update({ pk: `PROGRAM#${id}`, sk: 'PROGRAM' }, { set: { candidateCount: 10_000 } });
    expect((await user.post(`${url}/partners`, other)).body).toEqual(
      platformError(409, 'A program has at most 10000 partners'),
    );
    await user.patch(url, { status: 'paused' });
    expect((await user.post(`${url}/partners`, other)).body).toEqual(platformError(409, 'Program is paused'));
  });

  it('as true creates an invitation that is shown as expired after 30 days, until the brand invites the person again', async () => {
    const { user, url, add } = await programOf(world);
    const partnerId = await add(newAddress(), { invite: true });
    const partner = `${url}/partners/${partnerId}`;
    const statusAt = async (at: Date) => (await user.get(partner, { at })).body.data.status;
    expect(await statusAt(new Date(later(30).getTime() - 1))).toBe('invited');
    expect(await statusAt(later(30))).toBe('expired');
    expect((await user.get(`${url}/partners?status=expired`, { at: later(30) })).body.data).toHaveLength(1);
    expect((await user.get(`${url}/partners?status=invited`, { at: later(30) })).body.data).toEqual([]);
    const { body } = await user.post(`${partner}/invite`, {}, { at: later(40) });
    expect(body.data).toMatchObject({ status: 'invited', invited_at: later(40).toISOString() });
    expect(await statusAt(later(69))).toBe('invited');
  });

  it('as true invites a person who cannot get links, codes or commissions before accepting', async () => {
    const { user, url, add } = await programOf(world);
    const partner_id = await add(newAddress(), { invite: true });
    const before = await world.items(`PROGRAM#${url.split('/')[2]}`);
    expect((await user.post(`${url}/links`, { partner_id })).body).toEqual(
      platformError(409, 'Partner has not joined the program'),
    );
    const noRelation = platformError(409, 'No partner-program relationship found for this partner');
    expect((await user.post(`${url}/codes`, { partner_id, code: 'BEN10' })).body).toEqual(noRelation);
    const grant = { amount_cents: 100, currency: 'USD', reason: 'Bonus' };
    expect((await user.post(`${url}/partners/${partner_id}/commissions`, grant)).body).toEqual(noRelation);
    expect(await world.items(`PROGRAM#${url.split('/')[2]}`)).toEqual(before);
  });
});

describe('an application to a program', () => {
  it('can be accepted: the person becomes a partner and is counted', async () => {
    const { user, url, id, applicant, item, program } = await programOf(world, { join: 'apply' });
    const { partnerId } = await applicant({ message: 'Hello', website: 'https://ben.test' });
    const before = await program();
    const { status, body } = await user.post(`${url}/partners/${partnerId}/accept`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'active',
      joined_at: NOW.toISOString(),
      application: { message: 'Hello', website: 'https://ben.test/', applied_at: NOW.toISOString() },
      has_account: true,
    });
    expect(await item(partnerId)).toMatchObject({ status: 'active', gsi1pk: `PROGRAM#${id}#PARTNERS` });
    expect(await program()).toEqual({ ...before, partnerCount: 2, candidateCount: 0 });
    expect((await user.post(`${url}/partners/${partnerId}/accept`)).body).toEqual(refused('active', 'active'));
  });

  it('can be rejected with a reason, which the person can read', async () => {
    const { user, url, applicant } = await programOf(world, { join: 'apply' });
    const { partnerId, token } = await applicant();
    const { body } = await user.post(`${url}/partners/${partnerId}/reject`, { reason: ' Off topic ' });
    expect(body.data).toMatchObject({ status: 'rejected', rejection_reason: 'Off topic' });
    expect((await portal(token).get('/me')).body.data.programs).toMatchObject([
      { status: 'rejected', rejection_reason: 'Off topic', terms_to_accept: null },
    ]);
    expect((await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'x' })).body).toEqual(
      refused('rejected', 'rejected'),
    );
  });

  it.each([{}, { reason: '' }, { reason: '  ' }, { reason: 7 }, { reason: 'x'.repeat(501) }])(
    'cannot be rejected with the invalid reason %j',
    async (sent) => {
      const { user, url, applicant } = await programOf(world, { join: 'apply' });
      const { partnerId } = await applicant();
      expect((await user.post(`${url}/partners/${partnerId}/reject`, sent)).body).toEqual(
        platformError(400, 'reason is required'),
      );
    },
  );

  it('cannot be accepted while the program is paused', async () => {
    const { user, url, applicant } = await programOf(world, { join: 'apply' });
    const { partnerId } = await applicant();
    await user.patch(url, { status: 'paused' });
    expect((await user.post(`${url}/partners/${partnerId}/accept`)).body).toEqual(
      platformError(409, 'Program is paused'),
    );
  });

  it('is decided once if decisions run in parallel, and an acceptance counts one partner', async () => {
    const { user, url, applicant, program } = await programOf(world, { join: 'apply' });
    const { partnerId } = await applicant();
    const partner = `${url}/partners/${partnerId}`;
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => user.post(`${partner}/accept`)),
      ...[1, 2, 3].map(() => user.post(`${partner}/reject`, { reason: 'No' })),
    ]);
    expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409, 409]);
    const { status } = replies.find((reply) => reply.status === 200)!.body.data;
    expect(await program()).toMatchObject({
      partnerCount: status === 'active' ? 2 : 1,
      candidateCount: status === 'active' ? 0 : 1,
    });
  });
});

describe('POST /programs/{id}/partners/{partner_id}/withdraw', () => {
  it('ends an invitation, which is then shown as expired and cannot be accepted', async () => {
    const { user, url, person, item, row, program } = await programOf(world);
    const { partnerId, token } = await person({ invite: true });
    const [before, invited, counted] = [await item(partnerId), await row(partnerId), await program()];
    const reply = await user.post(`${url}/partners/${partnerId}/withdraw`);
    expect(reply).toMatchObject({ status: 200, body: { data: { ...invited, status: 'expired' } } });
    expect(await item(partnerId)).toEqual({ ...before, status: 'expired' });
    expect(await program()).toEqual(counted);
    for (const sort of ['created', 'clicks']) {
      const listed = async (status: string) =>
        (await user.get(`${url}/partners?status=${status}&sort=${sort}`)).body.data.map(({ id }: { id: number }) => id);
      expect([await listed('invited'), await listed('expired')]).toEqual([[], [partnerId]]);
    }
    expect((await portal(token).post(`${url}/accept`, {})).body).toEqual(
      platformError(409, 'This invitation has expired'),
    );
    expect((await portal(token).get('/me')).body.data.programs).toMatchObject([
      { status: 'expired', terms_to_accept: null },
    ]);
    expect((await user.post(`${url}/partners/${partnerId}/withdraw`)).body).toEqual(refused('expired', 'expired'));
  });

  it('allows the brand to invite the person again, from seven days after the first invitation on', async () => {
    const { user, url, person } = await programOf(world);
    const { partnerId, token } = await person({ invite: true });
    await user.post(`${url}/partners/${partnerId}/withdraw`);
    const invite = (days: number) => user.post(`${url}/partners/${partnerId}/invite`, {}, { at: later(days) });
    expect((await invite(6)).status).toBe(429);
    expect((await invite(7)).body.data).toMatchObject({ status: 'invited', invited_at: later(7).toISOString() });
    expect((await portal(token).post(`${url}/accept`, {}, { at: later(8) })).body.data.status).toBe('active');
  });

  it('is refused for an expired invitation, a partner and an applicant', async () => {
    const { user, url, add, applicant, item } = await programOf(world, { join: 'apply' });
    const [active, invited] = [await add(newAddress()), await add(newAddress(), { invite: true })];
    const { partnerId: applied } = await applicant();
    for (const [id, status, at] of [
      [active, 'active', NOW],
      [applied, 'applied', NOW],
      [invited, 'expired', later(30)],
    ] as const) {
      const before = await item(id);
      const reply = await user.post(`${url}/partners/${id}/withdraw`, {}, { at });
      expect([reply.status, reply.body]).toEqual([409, refused('expired', status)]);
      expect(await item(id)).toEqual(before);
    }
  });

  it('and the person’s acceptance in parallel: exactly one of the two succeeds', async () => {
    const { user, url, person, row, program } = await programOf(world);
    const { partnerId, token } = await person({ invite: true });
    const replies = await Promise.all([
      user.post(`${url}/partners/${partnerId}/withdraw`),
      portal(token).post(`${url}/accept`, {}),
    ]);
    expect(statusesOf(replies)).toEqual([200, 409]);
    const { status } = await row(partnerId);
    expect(status).toBe(replies[0].status === 200 ? 'expired' : 'active');
    expect(await program()).toMatchObject(
      status === 'active' ? { partnerCount: 2, candidateCount: 0 } : { partnerCount: 1, candidateCount: 1 },
    );
  });
});

describe('a change of a partner’s status that the present status does not allow is refused:', () => {
  it.each([
    ['accept', 'active', 'invited'],
    ['reject', 'rejected', 'invited'],
  ])('the action %s for an invited person', async (step, to, from) => {
    const { user, url, add } = await programOf(world);
    const partner = `${url}/partners/${await add(newAddress(), { invite: true })}`;
    expect((await user.post(`${partner}/${step}`, { reason: 'No' })).body).toEqual(refused(to, from));
  });

  it('the action invite for a partner or an applicant', async () => {
    const { user, url, add, applicant } = await programOf(world, { join: 'apply' });
    const [active, applied] = [await add(newAddress()), (await applicant()).partnerId];
    expect((await user.post(`${url}/partners/${active}/invite`)).body).toEqual(refused('invited', 'active'));
    expect((await user.post(`${url}/partners/${applied}/invite`)).body).toEqual(refused('invited', 'applied'));
  });

  it('a PATCH from or to any status but active and removed', async () => {
    const { user, url, add, item, applicant } = await programOf(world, { join: 'apply' });
    const ids = [await add(newAddress(), { invite: true }), (await applicant()).partnerId];
    for (const [index, from] of ['invited', 'applied'].entries()) {
      const before = await item(ids[index]!);
      for (const to of ['active', 'removed']) {
        const change = { status: to, name: 'Eve' };
        expect((await user.patch(`${url}/partners/${ids[index]}`, change)).body).toEqual(refused(to, from));
      }
      expect(await item(ids[index]!)).toEqual(before);
    }
    expect((await user.patch(`${url}/partners/${ids[0]}`, { status: 'invited' })).body).toEqual(
      platformError(400, 'Invalid status: invited. Valid: active, removed'),
    );
  });

  it('any action on a partner of another program or on an unknown partner, with 404', async () => {
    const { user, url, applicant } = await programOf(world, { join: 'apply' });
    const { partnerId } = await applicant();
    const stranger = dashboard((await ownerOf(world)).token);
    for (const step of ['accept', 'reject', 'invite', 'withdraw']) {
      expect((await stranger.post(`${url}/partners/${partnerId}/${step}`, { reason: 'x' })).body).toEqual(
        platformError(404, 'Program not found'),
      );
      expect((await user.post(`${url}/partners/999999/${step}`, { reason: 'x' })).body).toEqual(
        platformError(404, 'Partner not found'),
      );
    }
  });
});

describe('a removed partner whom the brand invites again', () => {
  it('becomes the same partner with the same links when the invitation is accepted', async () => {
    const { user, url, id, brand, person, program, item } = await programOf(world);
    const { partnerId, token } = await person();
    const [link] = (await item(partnerId))!.links as string[];
    await user.patch(`${url}/partners/${partnerId}`, { status: 'removed' });
    expect((await user.post(`${url}/partners/${partnerId}/invite`)).body.data.status).toBe('invited');
    expect(await program()).toMatchObject({ partnerCount: 2, removedPartnerIds: [partnerId] });
    for (const [status, ids] of [
      ['invited', [partnerId]],
      ['removed', []],
      ['active', [brand.partner.id]],
    ] as const) {
      for (const sort of ['created', 'clicks']) {
        const { body } = await user.get(`${url}/partners?status=${status}&sort=${sort}`);
        expect(body.data.map((row: { id: number }) => row.id)).toEqual(ids);
      }
    }
    expect((await portal(token).post(`${url}/accept`, {})).body.data.status).toBe('active');
    expect(await program()).toMatchObject({ partnerCount: 2, removedPartnerIds: [] });
    expect(await item(partnerId)).toMatchObject({ status: 'active', gsi1pk: `PROGRAM#${id}#PARTNERS`, links: [link] });
    expect((await world.items(`LINK#${link}`))[0]).not.toHaveProperty('partnerRemoved');
  });
});

describe('GET /programs/{id}/partners', () => {
  it('lists all partners, oldest first, in pages of any size, and filters by each status', async () => {
    const { user, url, brand, add } = await programOf(world, { join: 'apply' });
    const expected = [brand.partner.id];
    for (let minute = 1; minute <= 7; minute += 1) {
      const at = new Date(NOW.getTime() + minute * 60_000);
      const wanted = { name: 'Ben', email: newAddress(), invite: minute % 2 === 0 };
      expected.push((await user.post(`${url}/partners`, wanted, { at })).body.data.id);
    }
    for (const limit of [1, 2, 3, 8, 100]) {
      const pages = await everyPage(user, `${url}/partners?limit=${limit}`);
      expect(pages.flat().map(({ id }) => id)).toEqual(expected);
    }
    const invited = [2, 4, 6].map((minute) => expected[minute]);
    const idsOf = async (query: string) =>
      (await everyPage(user, `${url}/partners?limit=2${query}`)).flat().map(({ id }) => id);
    expect(await idsOf('&status=invited')).toEqual(invited);
    expect(await idsOf('&status=active')).toEqual(expected.filter((id) => !invited.includes(id)));
    for (const status of ['removed', 'applied', 'rejected', 'expired']) {
      expect(await idsOf(`&status=${status}`)).toEqual([]);
    }
    for (const sort of ['clicks', 'revenue']) {
      expect(await idsOf(`&sort=${sort}`)).toEqual(expected);
      expect(await idsOf(`&sort=${sort}&status=invited`)).toEqual(invited);
    }
    const { meta } = (await user.get(`${url}/partners?sort=clicks`)).body;
    expect(meta.sorted_of).toBe(8);
    await add(newAddress());
  });

  it('answers 400 for an unknown status', async () => {
    const { user, url } = await programOf(world);
    expect((await user.get(`${url}/partners?status=gone`)).body).toEqual(
      platformError(400, 'Invalid status: gone. Valid: active, removed, invited, applied, rejected, expired'),
    );
  });
});

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const conflict = (message: string) => platformError(409, message);
const notFound = platformError(404, 'Program not found');
const firstTerms = conflict('Accept the terms of this program first');
const outdated = conflict('These are not the current terms');
const hasLeft = conflict('You have left this program');

describe('POST /programs/{id}/accept', () => {
  it('makes an invited person a partner; a second request changes nothing', async () => {
    const { url, person, row, item, program } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    const { get, post } = portal(token);
    expect((await get(url)).body.data).toMatchObject({ status: 'invited' });
    const reply = await post(`${url}/accept`, undefined, { at: later(1) });
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'active', links_left: 5 } } });
    expect((await get(url)).body).toEqual(reply.body);
    const left = [await item(partnerId), await program()];
    expect((await post(`${url}/accept`, {}, { at: later(2) })).body).toEqual(reply.body);
    expect([await item(partnerId), await program()]).toEqual(left);
    expect(await row(partnerId)).toMatchObject({ status: 'active', joined_at: later(1).toISOString() });
    expect(await program()).toMatchObject({ partnerCount: 2, candidateCount: 0 });
  });

  it('answers 409 “This invitation has expired” once the invitation has expired', async () => {
    const { url, person, item } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    const before = await item(partnerId);
    expect((await portal(token).get(url, { at: later(30) })).body.data.status).toBe('expired');
    expect((await portal(token).post(`${url}/accept`, {}, { at: later(30) })).body).toEqual(
      conflict('This invitation has expired'),
    );
    expect(await item(partnerId)).toEqual(before);
  });

  it('answers 409 to an applicant and to a person who left, and 404 to a rejected person', async () => {
    const { url, user, person, applicant } = await programOf(world, { join: 'apply' });
    const [applied, removed] = [await applicant(), await person()];
    await user.patch(`${url}/partners/${removed.partnerId}`, { status: 'removed' });
    expect((await portal(applied.token).post(`${url}/accept`, {})).body).toEqual(
      conflict('Partner status cannot be changed to active. Current status: applied'),
    );
    expect((await portal(removed.token).post(`${url}/accept`, {})).body).toEqual(hasLeft);
    await user.post(`${url}/partners/${applied.partnerId}/reject`, { reason: 'No' });
    expect((await portal(applied.token).post(`${url}/accept`, {})).body).toEqual(notFound);
  });

  it('requires that the request accepts the newest version of the terms', async () => {
    const { url, user, person, row } = await programOf(world, { partner_terms: 'One' });
    const { token, partnerId } = await person({ invite: true });
    await user.patch(url, { partner_terms: 'Two' });
    const { post, get } = portal(token);
    expect((await get('/me')).body.data.programs).toMatchObject([{ status: 'invited', terms_to_accept: 2 }]);
    expect((await get(url)).body.data.terms).toEqual({ version: 2, text: 'Two', accepted_at: null });
    expect((await post(`${url}/accept`, {})).body).toEqual(firstTerms);
    expect((await post(`${url}/accept`, { terms_version: 1 })).body).toEqual(outdated);
    expect((await post(`${url}/accept`, { terms_version: 2 })).body.data.terms).toEqual({
      version: 2,
      text: 'Two',
      accepted_at: NOW.toISOString(),
    });
    expect(await row(partnerId)).toMatchObject({ accepted_terms: { version: 2, accepted_at: NOW.toISOString() } });
  });

  it('answers 404 for an invitation sent to another e-mail address', async () => {
    const { url, add } = await programOf(world);
    await add(newAddress(), { invite: true });
    const { token } = await signedInAs(world);
    expect((await portal(token).post(`${url}/accept`, {})).body).toEqual(notFound);
  });

  it('counts one new partner if one person sends many requests in parallel', async () => {
    const { url, person, program } = await programOf(world);
    const { token } = await person({ invite: true });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => portal(token).post(`${url}/accept`, {})));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200]);
    expect(await program()).toMatchObject({ partnerCount: 2, candidateCount: 0 });
  });

  it('stores the accepted version of the terms, or fails with 409 if new terms were written first', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { url, user, person, row } = await programOf(world, { partner_terms: 'One' });
      const { token, partnerId } = await person({ invite: true });
      const [accepted] = await Promise.all([
        portal(token).post(`${url}/accept`, { terms_version: 1 }),
        user.patch(url, { partner_terms: 'Two' }),
      ]);
      const { status } = await row(partnerId);
      expect([accepted.status, status]).toEqual(accepted.status === 200 ? [200, 'active'] : [409, 'invited']);
      expect(accepted.status === 200 ? outdated : accepted.body).toEqual(outdated);
    }
  });

  it('answers 409 “Program is paused” while the program is paused', async () => {
    const { url, user, person } = await programOf(world);
    const { token } = await person({ invite: true });
    await user.patch(url, { status: 'paused' });
    expect((await portal(token).post(`${url}/accept`, {})).body).toEqual(conflict('Program is paused'));
  });
});

describe('POST /programs/{id}/decline', () => {
  it('ends the invitation; a second request, even after the invitation’s expiry, gets the same reply and changes nothing', async () => {
    const { url, person, row, item, program } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    const { get, post } = portal(token);
    const [before, counted] = [await item(partnerId), await program()];
    expect(await post(`${url}/decline`)).toMatchObject({ status: 200, body: { data: { declined: true } } });
    const left = { ...before, status: 'expired' };
    expect([await item(partnerId), await program()]).toEqual([left, counted]);
    expect((await post(`${url}/decline`, {}, { at: later(40) })).body).toEqual({ data: { declined: true } });
    expect([await item(partnerId), await program()]).toEqual([left, counted]);
    expect(await row(partnerId)).toMatchObject({ status: 'expired', joined_at: null });
    expect((await get(url)).body.data.status).toBe('expired');
    expect((await post(`${url}/accept`, {})).body).toEqual(conflict('This invitation has expired'));
  });

  it('does not change an expired invitation', async () => {
    const { url, person, item } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    const before = await item(partnerId);
    expect((await portal(token).post(`${url}/decline`, {}, { at: later(30) })).body).toEqual({
      data: { declined: true },
    });
    expect(await item(partnerId)).toEqual(before);
  });

  it('does not require the newest terms', async () => {
    const { url, person } = await programOf(world, { partner_terms: 'One' });
    const { token } = await person({ invite: true });
    expect((await portal(token).post(`${url}/decline`)).status).toBe(200);
  });

  it('answers 409 to a partner, an applicant and a person who left, and 404 to a rejected or uninvited person', async () => {
    const { url, user, person, applicant, add } = await programOf(world, { join: 'apply' });
    const [active, applied, removed] = [await person(), await applicant(), await person()];
    await user.patch(`${url}/partners/${removed.partnerId}`, { status: 'removed' });
    const refused = 'Partner status cannot be changed to expired. Current status:';
    for (const [{ token }, body] of [
      [active, conflict(`${refused} active`)],
      [applied, conflict(`${refused} applied`)],
      [removed, hasLeft],
    ] as const) {
      expect((await portal(token).post(`${url}/decline`)).body).toEqual(body);
    }
    await user.post(`${url}/partners/${applied.partnerId}/reject`, { reason: 'No' });
    expect((await portal(applied.token).post(`${url}/decline`)).body).toEqual(notFound);
    await add(newAddress(), { invite: true });
    expect((await portal((await signedInAs(world)).token).post(`${url}/decline`)).body).toEqual(notFound);
  });

  it('ends the invitation once if an owner withdraws it in parallel', async () => {
    const { brand, url, user, person, row } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    const [declined, withdrawn] = await Promise.all([
      portal(token).post(`${url}/decline`),
      user.post(`${url}/partners/${partnerId}/withdraw`),
    ]);
    expect(declined.body).toEqual({ data: { declined: true } });
    expect([200, 409]).toContain(withdrawn.status);
    expect(await row(partnerId)).toMatchObject({ status: 'expired' });
    const rows = await world.items(`AUDIT#${brand.program.workspaceId}`);
    const ended = { status: { from: 'invited', to: 'expired' } };
    expect(rows.map(({ changes }) => changes).filter((changes) => isDeepStrictEqual(changes, ended))).toHaveLength(1);
  });
});

describe('POST /programs/{id}/terms', () => {
  it('stores that the partner accepted the newest terms; a second request does not change the stored time', async () => {
    const { url, user, person, row } = await programOf(world);
    const { token, partnerId } = await person();
    const { get, post } = portal(token);
    expect((await post(`${url}/terms`, { version: 1 })).body).toEqual(outdated);
    await user.patch(url, { partner_terms: 'One' });
    expect((await get('/me')).body.data.programs).toMatchObject([{ terms_to_accept: 1 }]);
    expect((await post(`${url}/links`, {})).body).toEqual(firstTerms);
    const accepted = { data: { version: 1, accepted_at: later(1).toISOString() } };
    expect((await post(`${url}/terms`, { version: 1 }, { at: later(1) })).body).toEqual(accepted);
    expect((await post(`${url}/terms`, { version: 1 }, { at: later(2) })).body).toEqual(accepted);
    expect((await get('/me')).body.data.programs).toMatchObject([{ terms_to_accept: null }]);
    expect((await get(url)).body.data.terms).toEqual({ version: 1, text: 'One', accepted_at: later(1).toISOString() });
    expect((await post(`${url}/links`, {})).status).toBe(200);
    await user.patch(url, { partner_terms: 'Two' });
    expect((await post(`${url}/links`, {})).body).toEqual(firstTerms);
    expect((await post(`${url}/terms`, { version: 1 })).body).toEqual(outdated);
    expect(await row(partnerId)).toMatchObject({ accepted_terms: { version: 1 } });
    await user.patch(url, { partner_terms: '' });
    expect((await get(url)).body.data.terms).toBeNull();
    expect((await post(`${url}/links`, {})).status).toBe(200);
  });

  it('answers 400 if the request names no version, and 409 to a person who left', async () => {
    const { url, user, person } = await programOf(world, { partner_terms: 'One' });
    const { token, partnerId } = await person();
    const { post } = portal(token);
    expect((await post(`${url}/terms`, {})).body).toEqual(platformError(400, 'Missing required fields: version'));
    for (const version of ['1', 0, 2, [1]]) {
      expect((await post(`${url}/terms`, { version })).body).toEqual(outdated);
    }
    await user.patch(`${url}/partners/${partnerId}`, { status: 'removed' });
    expect((await post(`${url}/terms`, { version: 1 })).body).toEqual(hasLeft);
  });
});

const clickStatus = async (affiliate_url: string) => (await send(click, { body: { affiliate_url } })).status;

describe('POST /programs/{id}/leave', () => {
  it('switches the links off and refuses changes, but history stays readable; only a new invitation makes the person a partner again', async () => {
    const { url, user, person, item, program, row } = await programOf(world, { partner_terms: 'One' });
    const { token, partnerId } = await person();
    const { get, post, patch } = portal(token);
    await post(`${url}/terms`, { version: 1 });
    const link = (await post(`${url}/links`, {})).body.data;
    expect(await post(`${url}/leave`, undefined, { at: later(1) })).toEqual({
      status: 200,
      headers: expect.any(Object),
      body: { data: { left: true } },
    });
    expect(await clickStatus(link.url)).toBe(410);
    expect(await row(partnerId)).toMatchObject({ status: 'removed', left_at: later(1).toISOString() });
    expect(await item(partnerId)).toMatchObject({ status: 'removed', leftAt: later(1).toISOString() });
    expect(await program()).toMatchObject({ removedPartnerIds: [partnerId] });
    expect((await get(url)).body.data).toMatchObject({ status: 'removed' });
    expect((await get('/me')).body.data.programs).toMatchObject([{ status: 'removed', terms_to_accept: null }]);
    expect((await get(`${url}/links`)).body.data).toMatchObject([{}, { short_link: link.short_link }]);
    for (const reply of [
      await post(`${url}/leave`),
      await post(`${url}/links`, {}),
      await patch(`${url}/links/${link.short_link}`, { status: 'inactive' }),
    ]) {
      expect(reply.body).toEqual(hasLeft);
    }
    expect((await user.patch(`${url}/partners/${partnerId}`, { status: 'active' })).body).toEqual(
      conflict('Partner status cannot be changed to active. Current status: removed'),
    );
    expect(await clickStatus(link.url)).toBe(410);
    expect((await user.post(`${url}/partners/${partnerId}/invite`)).status).toBe(200);
    expect(await clickStatus(link.url)).toBe(410);
    expect((await post(`${url}/accept`, { terms_version: 1 })).status).toBe(200);
    expect(await clickStatus(link.url)).toBe(200);
    expect(await item(partnerId)).not.toHaveProperty('leftAt');
    expect(await row(partnerId)).toMatchObject({ status: 'active', left_at: null });
  });

  it('answers 409 to a person who is not yet a partner', async () => {
    const { url, person } = await programOf(world);
    const { token } = await person({ invite: true });
    expect((await portal(token).post(`${url}/leave`)).body).toEqual(
      conflict('You are not a partner of this program yet'),
    );
  });

  it('does not require the newest terms', async () => {
    const { url, person } = await programOf(world, { partner_terms: 'One' });
    const { token } = await person();
    expect((await portal(token).post(`${url}/leave`)).status).toBe(200);
  });
});

describe('PATCH /me', () => {
  it('switches the person’s mails off and on again', async () => {
    const { token, account } = await signedInAs(world);
    const { patch, get } = portal(token);
    expect((await get('/me')).body.data.mail).toBe(true);
    expect((await patch('/me', { mail: false })).body).toEqual({ data: { mail: false } });
    expect(await findAccount(world.deps().table, account.id)).toMatchObject({ refusesMail: true });
    expect((await get('/me')).body.data.mail).toBe(false);
    expect((await patch('/me', { mail: true })).body).toEqual({ data: { mail: true } });
    expect(await findAccount(world.deps().table, account.id)).toMatchObject(account);
    expect((await get('/me')).body.data.mail).toBe(true);
  });

  it('answers 400 if mail is neither true nor false', async () => {
    const { token } = await signedInAs(world);
    expect((await portal(token).patch('/me', {})).body).toEqual(platformError(400, 'Missing required fields: mail'));
    expect((await portal(token).patch('/me', { mail: 'no' })).body).toEqual(
      platformError(400, 'mail must be a boolean'),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const conflict = (message: string) => platformError(409, message);
const notFound = platformError(404, 'Program not found');
const firstTerms = conflict('Accept the terms of this program first');
const outdated = conflict('These are not the current terms');

describe('GET /join/{program_id}', () => {
  it('shows anyone what the program offers its partners', async () => {
    const { brand, id } = await programOf(world, { join: 'apply', partner_terms: 'Be fair.' });
    expect(await portal().get(`/join/${id}`)).toEqual(
      dataReply({
        program_id: id,
        name: brand.program.name,
        domain: brand.program.domain,
        sandbox: false,
        commission: '20%',
        terms_offered: {
          commission_type: 'percent',
          commission_rate: 20,
          duration_months: null,
          hold_period_days: 15,
          lead_commission_cents: 0,
          tiers: [],
        },
        currency: 'USD',
        window_days: 60,
        hold_period_days: 15,
        join: 'apply',
        terms: { version: 1, text: 'Be fair.' },
        brand: { name: brand.program.name, logo_url: null, accent: null, welcome: null, contact_email: null },
      }),
    );
  });

  it('answers 404 for a program that takes no partners and for an unknown program', async () => {
    const { id } = await programOf(world);
    for (const each of [id, 999_999, 'x', 0]) expect((await portal().get(`/join/${each}`)).body).toEqual(notFound);
  });

  it('returns the same reply to all callers', async () => {
    const { id, person, applicant } = await programOf(world, { join: 'open' });
    const people = [await person(), await person({ invite: true }), await applicant(), await signedInAs(world)];
    const replies = await Promise.all(people.map(({ token }) => portal(token).get(`/join/${id}`)));
    const { body } = await portal().get(`/join/${id}`);
    expect(body.data.terms).toBeNull();
    for (const reply of replies) expect(reply.body).toEqual(body);
  });
});

describe('POST /join/{program_id}', () => {
  it('creates an application with the person’s message to the brand; a second request changes nothing', async () => {
    const { id, row, item, program, partnerIdOf } = await programOf(world, { join: 'apply' });
    const before = await program();
    const person = await signedInAs(world);
    const { post } = portal(person.token);
    const sent = { message: 'I write about <b>money</b>', website: 'HTTP://Ben.test' };
    expect(await post(`/join/${id}`, sent)).toEqual(dataReply({ status: 'applied' }));
    const partnerId = await partnerIdOf(person);
    expect(await row(partnerId)).toMatchObject({
      status: 'applied',
      name: person.account.name,
      email: person.account.email,
      joined_at: null,
      application: { message: sent.message, website: 'http://ben.test/', applied_at: NOW.toISOString() },
      accepted_terms: null,
      has_account: false,
    });
    expect(await program()).toEqual({ ...before, candidateCount: 1 });
    expect(await world.items(`PARTNER_OF_EMAIL#${person.account.email}`)).toEqual([]);
    const left = await item(partnerId);
    expect((await post(`/join/${id}`, { message: 'Again' })).body).toEqual({ data: { status: 'applied' } });
    expect(await item(partnerId)).toEqual(left);
    expect(await program()).toEqual({ ...before, candidateCount: 1 });
  });

  it('makes the person a partner at once if the program is open to everyone', async () => {
    const { id, row, program, url, partnerIdOf } = await programOf(world, { join: 'open', partner_terms: 'Be fair.' });
    const person = await signedInAs(world);
    const { post, get } = portal(person.token);
    expect((await post(`/join/${id}`, { terms_version: 1 })).body).toEqual({ data: { status: 'active' } });
    expect((await post(`/join/${id}`, {})).body).toEqual({ data: { status: 'active' } });
    expect(await row(await partnerIdOf(person))).toMatchObject({
      status: 'active',
      joined_at: NOW.toISOString(),
      accepted_terms: { version: 1, accepted_at: NOW.toISOString() },
    });
    expect(await program()).toMatchObject({ partnerCount: 2 });
    expect((await get(url)).body.data).toMatchObject({ status: 'active', links_left: 5 });
  });

  it('accepts the person’s invitation, even if the program is otherwise closed', async () => {
    const { id, person, row, program } = await programOf(world);
    const { token, partnerId } = await person({ invite: true });
    expect((await portal(token).post(`/join/${id}`, { message: 'Thanks' })).body).toEqual({
      data: { status: 'active' },
    });
    expect(await row(partnerId)).toMatchObject({ status: 'active', joined_at: NOW.toISOString(), application: null });
    expect(await program()).toMatchObject({ partnerCount: 2, candidateCount: 0 });
  });

  it('makes a person whom the brand added a partner, even if the person has not called GET /me before', async () => {
    const { id, add } = await programOf(world);
    const { token, account } = await signedInAs(world);
    await add(account.email);
    expect((await portal(token).post(`/join/${id}`, {})).body).toEqual({ data: { status: 'active' } });
  });

  it('creates an application if the person’s invitation has expired', async () => {
    const { id, person, row } = await programOf(world, { join: 'apply' });
    const { token, partnerId } = await person({ invite: true });
    const reply = await portal(token).post(`/join/${id}`, {}, { at: later(31) });
    expect(reply.body).toEqual({ data: { status: 'applied' } });
    expect(await row(partnerId)).toMatchObject({ status: 'applied' });
  });

  it('makes applicants and people with an expired invitation partners at once if the program has since been opened to everyone', async () => {
    const { id, url, user, person, applicant } = await programOf(world, { join: 'apply' });
    const [expired, applied] = [await person({ invite: true }), await applicant()];
    await user.patch(url, { join: 'open' });
    for (const { token } of [expired, applied]) {
      const reply = await portal(token).post(`/join/${id}`, {}, { at: later(31) });
      expect(reply.body).toEqual({ data: { status: 'active' } });
    }
  });

  it('keeps the partner id and the name that the person has in another program of the workspace', async () => {
    const { user, id, add, partnerIdOf, row } = await programOf(world, { join: 'apply' });
    const settings = {
      name: 'Second',
      domain: 'second.test',
      commission_type: 'fixed',
      commission_rate: 1,
      join: 'open',
    };
    const other = (await user.post('/programs', settings)).body.data.id;
    const person = await signedInAs(world);
    const known = (await user.post(`/programs/${other}/partners`, { name: 'Ben B.', email: person.account.email }))
      .body;
    await portal(person.token).post(`/join/${id}`, {});
    expect(await partnerIdOf(person)).toBe(known.data.id);
    expect(await row(known.data.id)).toMatchObject({ name: 'Ben B.', status: 'applied' });
    await add(newAddress());
  });
});

it('POST /join finds the partner whom the brand added with the caller’s e-mail address, even without the address’s index entry', async () => {
  const { id, add } = await programOf(world, { join: 'apply' });
  const { token, account } = await signedInAs(world);
  const partnerId = await add(account.email);
  const { table } = world.deps();
  await table.transact([{ name: 'address', key: keys.partnerOfEmail(account.email, id), remove: true }]);
  expect((await portal(token).post(`/join/${id}`, {})).body).toEqual({ data: { status: 'active' } });
  expect((await portal(token).get('/me')).body.data.programs).toHaveLength(1);
  expect(partnerId).toBeGreaterThan(0);
});

describe('POST /join/{program_id} answers', () => {
  it('409 “This program takes no applications” to new people and rejected applicants alike', async () => {
    const { id, url, user, applicant } = await programOf(world, { join: 'apply' });
    const rejected = await applicant();
    await user.post(`${url}/partners/${rejected.partnerId}/reject`, { reason: 'No' });
    await user.patch(url, { join: 'closed' });
    const stranger = await signedInAs(world);
    for (const { token } of [rejected, stranger]) {
      expect((await portal(token).post(`/join/${id}`, {})).body).toEqual(
        conflict('This program takes no applications'),
      );
    }
  });

  it('409 to a rejected person for 30 days after the rejection', async () => {
    const { id, url, user, applicant, row } = await programOf(world, { join: 'apply' });
    const { token, partnerId } = await applicant({ message: 'First' });
    await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'No' });
    const { post } = portal(token);
    expect((await post(`/join/${id}`, {})).body).toEqual(conflict('You can apply again on 2026-12-20'));
    const early = new Date(later(30).getTime() - 1);
    expect((await post(`/join/${id}`, {}, { at: early })).status).toBe(409);
    expect((await post(`/join/${id}`, { message: 'Second' }, { at: later(30) })).body).toEqual({
      data: { status: 'applied' },
    });
    expect(await row(partnerId)).toMatchObject({
      status: 'applied',
      rejection_reason: null,
      application: { message: 'Second', applied_at: later(30).toISOString() },
    });
  });

  it('409 “You have left this program” to a person who left', async () => {
    const { id, url, user, person } = await programOf(world, { join: 'open' });
    const [left, removed] = [await person(), await person()];
    await portal(left.token).post(`${url}/leave`);
    await user.patch(`${url}/partners/${removed.partnerId}`, { status: 'removed' });
    for (const { token } of [left, removed]) {
      expect((await portal(token).post(`/join/${id}`, {})).body).toEqual(conflict('You have left this program'));
    }
  });

  it('409 for a version of the terms that is not the newest, before anything is written', async () => {
    const { id, url, user } = await programOf(world, { join: 'open', partner_terms: 'One' });
    await user.patch(url, { partner_terms: 'Two' });
    const { post } = portal((await signedInAs(world)).token);
    expect((await post(`/join/${id}`, {})).body).toEqual(firstTerms);
    for (const terms_version of [1, 3, '2', {}, 2.5]) {
      expect((await post(`/join/${id}`, { terms_version })).body).toEqual(outdated);
    }
    expect((await post(`/join/${id}`, { terms_version: 2 })).status).toBe(200);
    const none = await programOf(world, { join: 'open' });
    expect((await post(`/join/${none.id}`, { terms_version: 1 })).body).toEqual(outdated);
  });

  it('400 for invalid fields of the request', async () => {
    const { id } = await programOf(world, { join: 'apply' });
    const { token } = await signedInAs(world);
    const message = 'message must be a string of at most 2000 characters';
    const website = 'website must be an http or https address';
    for (const [sent, text] of [
      [{ message: 'x'.repeat(2_001) }, message],
      [{ message: 7 }, message],
      [{ website: 'javascript:alert(1)' }, website],
      [{ website: 'ben.test' }, website],
      [{ website: 7 }, website],
    ] as const) {
      expect((await portal(token).post(`/join/${id}`, sent)).body).toEqual(platformError(400, text));
    }
    expect((await portal(token).post(`/join/${id}`, '{')).body).toEqual(platformError(400, 'Invalid JSON body'));
    expect((await portal(token).post(`/join/${id}`, { message: 'x'.repeat(2_000) })).status).toBe(200);
  });

  it('404 for an unknown program, 401 without a token, and 403 to an owner who views the portal as a partner', async () => {
    const { id } = await programOf(world, { join: 'apply' });
    const { token } = await signedInAs(world);
    for (const each of [999_999, 'x']) {
      expect((await portal(token).post(`/join/${each}`, {})).body).toEqual(notFound);
    }
    expect((await portal().post(`/join/${id}`, {})).body).toEqual(platformError(401, 'Sign in to continue'));
    expect((await portal(token).post(`/join/${id}?as=1`, {})).body).toEqual(
      platformError(403, 'You look at this page as a partner: it is read only'),
    );
  });

  it('409 if the e-mail address belongs to a partner with another account', async () => {
    const { id, user, url, person } = await programOf(world, { join: 'apply' });
    const { partnerId } = await person();
    const { token, account } = await signedInAs(world);
    await user.patch(`${url}/partners/${partnerId}`, { email: account.email });
    expect((await portal(token).post(`/join/${id}`, {})).body).toEqual(
      conflict('This e-mail address belongs to another partner'),
    );
  });

  it('409 when the program is paused or has no room for more partners', async () => {
    const { id, user, url } = await programOf(world, { join: 'apply' });
    const { token } = await signedInAs(world);
    await user.patch(url, { status: 'paused' });
    expect((await portal(token).post(`/join/${id}`, {})).body).toEqual(conflict('Program is paused'));
    await user.patch(url, { status: 'active', join: 'open' });
    await world.deps().table.update(keys.program(id), { set: { partnerCount: 10_000 } });
    expect((await portal(token).post(`/join/${id}`, {})).body).toEqual(
      conflict('A program has at most 10000 partners'),
    );
  });
});

const limited = (retryAfterSeconds: number) => ({
  error: {
    code: 'rate_limited',
    message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    status: 429,
    retry_after_seconds: retryAfterSeconds,
  },
});

describe('many requests to join programs', () => {
  it('get 429 after 10 requests a minute by one account, counted over all programs', async () => {
    const programs = [await programOf(world, { join: 'apply' }), await programOf(world, { join: 'apply' })];
    const { token } = await signedInAs(world);
    for (let n = 0; n < 10; n += 1) {
      expect((await portal(token).post(`/join/${programs[n % 2]!.id}`, {})).status).toBe(200);
    }
    const reply = await portal(token).post(`/join/${programs[0]!.id}`, {});
    expect(reply).toMatchObject({ status: 429, body: limited(60), headers: { 'Retry-After': '60' } });
    const minuteLater = new Date(NOW.getTime() + 60_000);
    expect((await portal(token).post(`/join/${programs[0]!.id}`, {}, { at: minuteLater })).status).toBe(200);
  });

  it('from one mail domain wait in a queue behind all other applications from the eleventh of a day on', async () => {
    const { id, row, program, applicant, partnerIdOf } = await programOf(world, { join: 'apply' });
    const before = (await program())!;
    await world
      .deps()
      .table.update(keys.applicationSource(id, '2026-11-20', 'mail:people.test'), { set: { count: 9 } });
    const [tenth, eleventh] = [await applicant(), await applicant({ message: 'Hello' })];
    const tomorrow = await signedInAs(world);
    await portal(tomorrow.token).post(`/join/${id}`, {}, { at: new Date(NOW.getTime() + 86_400_000) });
    expect(await row(tenth.partnerId)).toMatchObject({ status: 'applied', application: { queued: false } });
    expect(await row(eleventh.partnerId)).toMatchObject({
      status: 'applied',
      application: { message: 'Hello', queued: true },
    });
    expect(await row(await partnerIdOf(tomorrow))).toMatchObject({ application: { queued: false } });
    expect(await program()).toEqual({ ...before, candidateCount: 2, queuedCount: 1 });
  });

  it('by a person who was rejected before wait in the queue if the list of applications is full', async () => {
    const { id, url, user, row, program, applicant } = await programOf(world, { join: 'apply' });
    await world.deps().table.update(keys.program(id), { set: { candidateCount: 5_000 } });
    const { token, partnerId } = await applicant();
    expect((await row(partnerId)).application.queued).toBe(true);
    await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'No' });
    expect(await row(partnerId)).toMatchObject({ status: 'rejected', application: { queued: false } });
    const before = await program();
    const again = await portal(token).post(`/join/${id}`, { message: 'Again' }, { at: later(30) });
    expect(again.body).toEqual({ data: { status: 'applied' } });
    expect(await row(partnerId)).toMatchObject({ application: { message: 'Again', queued: true } });
    expect(await program()).toEqual(before);
  });
});

describe('concurrent requests to join a program', () => {
  it.each(['apply', 'open'])('create one partner if they all come from one person (join: %s)', async (join) => {
    const { id, program, partnerIdOf } = await programOf(world, { join });
    const before = await program();
    const person = await signedInAs(world);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => portal(person.token).post(`/join/${id}`, {})));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200]);
    const partners = (await world.items(`PROGRAM#${id}`)).filter(({ accountId }) => accountId === person.account.id);
    expect(partners).toMatchObject([{ id: await partnerIdOf(person) }]);
    const count = join === 'open' ? 'partnerCount' : 'candidateCount';
    expect(await program()).toEqual({ ...before, [count]: ((before![count] as number | undefined) ?? 0) + 1 });
  });

  it('create one partner if the brand adds the applicant in parallel', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { id, url, user, program } = await programOf(world, { join: 'apply' });
      const { token, account } = await signedInAs(world);
      const [asked, added] = await Promise.all([
        portal(token).post(`/join/${id}`, {}),
        user.post(`${url}/partners`, { name: 'Ben', email: account.email }),
      ]);
      expect(asked.status).toBe(200);
      expect(asked.body.data.status).toBe(added.status === 200 ? 'active' : 'applied');
      const partners = (await world.items(`PROGRAM#${id}`)).filter(({ email }) => email === account.email);
      expect(partners).toHaveLength(1);
      expect(await program()).toMatchObject({ partnerCount: added.status === 200 ? 2 : 1 });
    }
  });

  it('all succeed if they come from different people', async () => {
    const { id, program } = await programOf(world, { join: 'open' });
    const people = await Promise.all(Array.from({ length: 8 }, () => signedInAs(world)));
    const replies = await Promise.all(people.map(({ token }) => portal(token).post(`/join/${id}`, {})));
    expect(new Set(statusesOf(replies))).toEqual(new Set([200]));
    expect(await program()).toMatchObject({ partnerCount: 9 });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { handler as everyMinute } from '#functions/schedule/outbox.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf, type TestReply } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';

const { world, mailbox, pump } = await openMailWorld();
openProcessor();
beforeEach(async () => {
  await pump.run();
  mailbox.answer();
});

const DAY_SECONDS = 86_400;
const later = (days: number, seconds = 0) => new Date(NOW.getTime() + (days * DAY_SECONDS + seconds) * 1_000);
const kindsTo = (to: string) => mailbox.received.filter((mail) => mail.to === to).map(({ tags }) => tags.kind);
const mailsTo = async (to: string) => {
  await pump.run();
  return kindsTo(to);
};

/** All items except rate-limit windows and reserved ids. */
const lasting = async () => (await allItems(world)).filter(({ pk }) => !/^(WINDOW|SALT|SEQUENCE)#/.test(String(pk)));

function expectLimited({ status, body, headers }: TestReply, retryAfterSeconds: number): void {
  expect({ status, body, retry: headers['Retry-After'] }).toEqual({
    status: 429,
    body: {
      error: {
        status: 429,
        code: 'rate_limited',
        message: expect.stringMatching(/^This invitation cannot be sent now: /),
        retry_after_seconds: retryAfterSeconds,
      },
    },
    retry: String(retryAfterSeconds),
  });
}

describe('repeated invitations of a stranger by one brand', () => {
  it('send one mail per program in seven days, and requests that are refused change nothing', async () => {
    const { user, url, add } = await programOf(world);
    const email = newAddress('stranger');
    const id = await add(email, { invite: true });
    const before = await lasting();
    for (let n = 0; n < 40; n++) {
      expectLimited(await user.post(`${url}/partners/${id}/invite`), 7 * DAY_SECONDS);
    }
    expect(await lasting()).toEqual(before);
    expect(await mailsTo(email)).toEqual(['partner_invited']);
    const week = await user.post(`${url}/partners/${id}/invite`, {}, { at: later(7) });
    expect(week.status).toBe(200);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it('send no additional mail after a withdrawal, or after the address of the partner was changed and changed back', async () => {
    const { user, url, add } = await programOf(world);
    const email = newAddress('stranger');
    const partner = `${url}/partners/${await add(email, { invite: true })}`;
    for (let n = 0; n < 5; n++) {
      await user.post(`${partner}/withdraw`);
      expectLimited(await user.post(`${partner}/invite`), 7 * DAY_SECONDS);
      await user.patch(partner, { email: newAddress('elsewhere') });
      await user.patch(partner, { email });
    }
    expect(await mailsTo(email)).toEqual(['partner_invited']);
  });

  it('send one notice of a replaced e-mail address per day and workspace, however many partners had that address', async () => {
    const { user, url, add } = await programOf(world);
    const email = newAddress('stranger');
    for (let n = 0; n < 5; n++) {
      const partner = `${url}/partners/${await add(newAddress('first'))}`;
      expect((await user.patch(partner, { email })).status).toBe(200);
      expect((await user.patch(partner, { email: newAddress('elsewhere') })).status).toBe(200);
    }
    expect(await mailsTo(email)).toEqual(['partner_address_changed']);
  });

  it('send three mails in total over all programs and workspaces, for any spelling of the mailbox', async () => {
    const name = `stranger.${newAddress('').split('@')[0]}`;
    const spellings = [
      `${name}@gmail.com`,
      `${name.replace('.', '')}@gmail.com`,
      `${name}+1@gmail.com`,
      `${name}+2@googlemail.com`,
    ];
    const programs = await Promise.all(spellings.map(() => programOf(world)));
    const invite = (n: number) =>
      programs[n]!.user.post(`${programs[n]!.url}/partners`, { name: 'Ben', email: spellings[n]!, invite: true });
    for (const n of [0, 1, 2]) expect((await invite(n)).status).toBe(200);
    const before = await lasting();
    expectLimited(await invite(3), 7 * DAY_SECONDS);
    expect(await lasting()).toEqual(before);
    await pump.run();
    expect(mailbox.received).toHaveLength(3);
  });

  it('send at most three mails, even when eight requests are concurrent', async () => {
    const programs = await Promise.all(Array.from({ length: 8 }, () => programOf(world)));
    const email = newAddress('stranger');
    const replies = await Promise.all(
      programs.map(({ user, url }) => user.post(`${url}/partners`, { name: 'Ben', email, invite: true })),
    );
    expect(statusesOf(replies).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(await mailsTo(email)).toHaveLength(3);
  });
});

describe('invitations of 150 strangers', () => {
  it(
    'by one workspace send 50 mails on the first day, even in parallel, and 50 on the next',
    { tags: 'deep' },
    async () => {
      const { user, url, program } = await programOf(world);
      const strangers = Array.from({ length: 75 }, () => newAddress('stranger'));
      const invite = (email: string, at?: Date) =>
        user.post(`${url}/partners`, { name: 'Ben', email, invite: true }, { at });
      const replies: TestReply[] = [];
      for (let n = 0; n < strangers.length; n += 25) {
        replies.push(...(await Promise.all(strangers.slice(n, n + 25).map((email) => invite(email)))));
      }
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(25);
      // The limit ends when the next day begins in UTC.
      for (const reply of refused) expectLimited(reply, 9 * 3_600);
      expect(await program()).toMatchObject({ candidateCount: 50 });
      await pump.run();
      expect(mailbox.received).toHaveLength(50);
      const tomorrow = later(0, 9 * 3_600);
      expect((await invite(newAddress(), tomorrow)).status).toBe(200);
    },
  );

  it('share the limit of 50 mails a day between all programs of the workspace', async () => {
    const { user, url, brand } = await programOf(world);
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'fixed', commission_rate: 1 };
    const other = (await user.post('/programs', settings)).body.data.id;
    const day = keys.recipients(brand.program.workspaceId, '2026-11-20');
    await world.deps().table.update(day, { set: { count: 49 } });
    const invite = (to: string, email = newAddress()) =>
      user.post(`${to}/partners`, { name: 'Ben', email, invite: true });
    const last = newAddress();
    expect((await invite(url, last)).status).toBe(200);
    expect((await invite(`/programs/${other}`)).status).toBe(429);
    // A person whom the workspace has already invited this week is not a new recipient.
    expect((await invite(`/programs/${other}`, last)).status).toBe(200);
    expect((await world.items(day.pk))[0]).toMatchObject({ count: 50 });
  });

  it('may be more than 50 a day only if ten people have accepted and the workspace is 30 days old', async () => {
    const { user, url, brand } = await programOf(world);
    const { table } = world.deps();
    const { workspaceId } = brand.program;
    const statusAfter = async (days: number, accepted: number) => {
      const day = later(days).toISOString().slice(0, 10);
      await table.update(keys.recipients(workspaceId, day), { set: { count: 50 } });
      await table.update(keys.acceptedInvitations(workspaceId), { set: { count: accepted } });
      const wanted = { name: 'Ben', email: newAddress(), invite: true };
      return (await user.post(`${url}/partners`, wanted, { at: later(days) })).status;
    };
    expect(await statusAfter(29, 10)).toBe(429);
    expect(await statusAfter(30, 9)).toBe(429);
    expect(await statusAfter(30, 10)).toBe(200);
    await table.update(keys.recipients(workspaceId, '2026-12-20'), { set: { count: 500 } });
    const wanted = { name: 'Ben', email: newAddress(), invite: true };
    expect((await user.post(`${url}/partners`, wanted, { at: later(30) })).status).toBe(429);
  });

  it('count one acceptance if the person accepts three times in parallel', async () => {
    const { url, brand, person } = await programOf(world);
    const { token } = await person({ invite: true });
    await Promise.all([1, 2, 3].map(() => portal(token).post(`${url}/accept`, {})));
    expect(await world.items(keys.acceptedInvitations(brand.program.workspaceId).pk)).toMatchObject([{ count: 1 }]);
  });
});

describe('a person whom a brand adds without inviting', () => {
  it('gets no mail about changed terms or payouts', async () => {
    const { user, url, add } = await programOf(world);
    const email = newAddress('stranger');
    const id = await add(email);
    for (const partner_terms of ['One', 'Two', 'Three']) await user.patch(url, { partner_terms });
    const grant = { amount_cents: 1, currency: 'USD', reason: 'Buy at https://evil.test' };
    await user.post(`${url}/partners/${id}/commissions`, grant);
    const paid = await user.post(`${url}/payouts`, {});
    expect(paid.status).toBe(200);
    await pump.run();
    expect(mailbox.received).toEqual([]);
  });
});

describe('a change of a program’s terms', () => {
  it('sends each partner who accepted the terms at most one mail a day, with the latest text', async () => {
    const { user, url, person } = await programOf(world);
    const { token, account } = await person({ invite: true });
    await portal(token).post(`${url}/accept`, {});
    await pump.run();
    mailbox.answer();
    const change = (text: string, at = NOW) => user.patch(url, { partner_terms: text }, { at });
    for (let n = 0; n < 12; n++) expect((await change(`Terms ${n}`)).status).toBe(200);
    expect(await mailsTo(account.email)).toEqual(['terms_changed']);
    await everyMinute({ time: later(0, 8 * 3_600).toISOString() });
    expect(await mailsTo(account.email)).toHaveLength(1);
    // The mail is sent at the beginning of the next day, and not again on that day.
    const tomorrow = later(0, 9 * 3_600);
    await Promise.all([1, 2].map(() => everyMinute({ time: tomorrow.toISOString() })));
    for (let n = 0; n < 5; n++) await change(`Later ${n}`, tomorrow);
    expect(await mailsTo(account.email)).toHaveLength(2);
    await everyMinute({ time: later(2).toISOString() });
    await everyMinute({ time: later(3).toISOString() });
    expect(await mailsTo(account.email)).toHaveLength(3);
  });

  it('sends one mail if several changes are made in parallel', async () => {
    const { user, url, person } = await programOf(world);
    const { token, account } = await person({ invite: true });
    await portal(token).post(`${url}/accept`, {});
    await pump.run();
    mailbox.answer();
    const replies = await Promise.all([1, 2, 3, 4].map((n) => user.patch(url, { partner_terms: `Terms ${n}` })));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200]);
    expect(await mailsTo(account.email)).toEqual(['terms_changed']);
  });
});

it('the subject and the greeting of an invitation are short and contain no link', async () => {
  const { user, url } = await programOf(world);
  const name = `You won! Claim at https://evil.test/claim or www.evil.test or pay\u202e@evil.test ${'!'.repeat(40)}`;
  await user.patch(url, { name });
  const email = newAddress('stranger');
  await user.post(`${url}/partners`, { name: 'http://evil.test', email, invite: true });
  await pump.run();
  const { subject, text } = mailbox.received.find(({ to }) => to === email)!;
  const [greeting] = text.split('\n');
  for (const line of [subject, greeting!]) {
    expect(line).not.toMatch(/http|www|evil\.test|@/);
    expect(line.length).toBeLessThanOrEqual('Become a partner of '.length + 60);
  }
});

describe('the link "I don\'t know this sender"', () => {
  const blockLink = /I don't know this sender: https:\/\/track\.test(\/api\/v1\/mail\/block\?token=([\w-]+))$/m;
  const anybody = apiClient('', undefined);

  async function invited() {
    const made = await programOf(world);
    const email = newAddress('stranger');
    const partnerId = await made.add(email, { invite: true });
    await pump.run();
    const { text, html } = mailbox.received.find(({ to }) => to === email)!;
    const [, link, token] = blockLink.exec(text)!;
    return { ...made, email, partnerId, html, link: link!, token: token! };
  }

  it('blocks the sender only when the button on its page is pressed, needs no sign-in and can be used again', async () => {
    const { email, link, html, token } = await invited();
    expect(html).toContain(`href="https://track.test${link}">I don't know this sender</a>`);
    const before = await lasting();
    const page = await anybody.get(link);
    expect(page).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    expect(page.body).toContain('<form method="post">');
    expect(page.body).not.toContain(token);
    expect(await lasting()).toEqual(before);
    for (let n = 0; n < 2; n++) expect((await anybody.post(link, '')).status).toBe(200);
    expect(await lasting()).toHaveLength(before.length + 1);
    expect(kindsTo(email)).toHaveLength(1);
    for (const wrong of ['', 'made-up', 'x'.repeat(5_000)]) {
      expect((await anybody.post(`/api/v1/mail/block?token=${wrong}`, '')).status).toBe(404);
    }
  });

  it('stops all mails of the workspace to that mailbox, and is not shown to the workspace', async () => {
    const blocked = await invited();
    const other = await programOf(world);
    await anybody.post(blocked.link, '');
    const again = later(7);
    const reply = await blocked.user.post(`${blocked.url}/partners/${blocked.partnerId}/invite`, {}, { at: again });
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'invited', mail: 'ok' } } });
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'fixed', commission_rate: 1 };
    const second = (await blocked.user.post('/programs', settings)).body.data.id;
    const [local, domain] = blocked.email.split('@');
    const wanted = { name: 'Ben', email: `${local}+tag@${domain}`, invite: true };
    const third = await blocked.user.post(`/programs/${second}/partners`, wanted, { at: again });
    expect(third).toMatchObject({ status: 200, body: { data: { status: 'invited', mail: 'ok' } } });
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    expect((await blocked.row(blocked.partnerId)).mail).toBe('ok');
    const counted = await blocked.user.post(`${blocked.url}/partners/${blocked.partnerId}/invite`, {}, { at: again });
    expectLimited(counted, 7 * DAY_SECONDS);
    // The block does not apply to another workspace.
    await other.user.post(`${other.url}/partners`, { ...wanted, email: blocked.email }, { at: again });
    expect(await mailsTo(blocked.email)).toEqual(['partner_invited', 'partner_invited']);
  });

  it('does not stop security mails about the person’s own account', async () => {
    const { email, link, url, user, partnerId } = await invited();
    await anybody.post(link, '');
    const { token } = await signedInAs(world, email);
    await portal(token).post(`${url}/accept`, {});
    await user.patch(url, { partner_terms: 'New' });
    await user.post(`${url}/partners/${partnerId}/commissions`, { amount_cents: 500, currency: 'USD', reason: 'x' });
    await portal(token).put('/payout-details', { method: 'paypal', email });
    expect(await mailsTo(email)).toEqual(['partner_invited', 'payout_details_changed']);
  });
});

describe('if the brand has changed the e-mail address of a partner, a mail', () => {
  it('with the decision about an application goes to the account that applied', async () => {
    const { user, url, applicant } = await programOf(world, { join: 'apply' });
    for (const decision of ['reject', 'accept']) {
      const { account, partnerId } = await applicant();
      const partner = `${url}/partners/${partnerId}`;
      const stranger = newAddress('stranger');
      expect((await user.patch(partner, { email: stranger })).status).toBe(200);
      const reason = 'Claim your prize at https://evil.test';
      expect((await user.post(`${partner}/${decision}`, { reason })).status).toBe(200);
      expect(await mailsTo(stranger)).toEqual([]);
      expect(kindsTo(account.email)).toEqual(['partner_address_changed', 'application_decided']);
    }
  });

  it('with an invitation goes to the account that applied before', async () => {
    const { user, url, applicant } = await programOf(world, { join: 'apply' });
    const { account, partnerId } = await applicant();
    const partner = `${url}/partners/${partnerId}`;
    await user.post(`${partner}/reject`, { reason: 'No' });
    const stranger = newAddress('stranger');
    await user.patch(partner, { email: stranger });
    expect((await user.post(`${partner}/invite`)).status).toBe(200);
    expectLimited(await user.post(`${partner}/invite`), 7 * DAY_SECONDS);
    expect(await mailsTo(stranger)).toEqual([]);
    expect(kindsTo(account.email)).toEqual(['application_decided', 'partner_address_changed', 'partner_invited']);
  });

  it('about a payout or the terms goes to the account that accepted', async () => {
    const { owner, user, url, person } = await programOf(world);
    const { account, partnerId } = await person();
    const partner = `${url}/partners/${partnerId}`;
    const stranger = newAddress('stranger');
    expect((await user.patch(partner, { email: stranger })).status).toBe(200);
    const at = later(4);
    const paying = dashboard((await signedInAs(world, owner.account.email, at)).token);
    const grant = { amount_cents: 1, currency: 'USD', reason: 'Buy at https://evil.test' };
    for (let n = 0; n < 2; n++) {
      expect((await paying.post(`${partner}/commissions`, grant, { at })).status).toBe(200);
      expect((await paying.post(`${url}/payouts`, {}, { at })).status).toBe(200);
    }
    await user.patch(url, { partner_terms: 'Buy at https://evil.test' }, { at });
    expect(await mailsTo(stranger)).toEqual([]);
    expect(kindsTo(account.email).toSorted((a, b) => a!.localeCompare(b!))).toEqual([
      'partner_address_changed',
      'payout_made',
      'payout_made',
      'terms_changed',
    ]);
  });
});

const moved = async ({ user, url, item }: Awaited<ReturnType<typeof programOf>>, partnerId: number, at = NOW) => {
  const email = newAddress('elsewhere');
  const { status, body } = await user.patch(`${url}/partners/${partnerId}`, { email }, { at });
  expect({ status, email: body.data.email }).toEqual({ status: 200, email });
  const addressHeldUntil = new Date(at.getTime() + 3 * DAY_SECONDS * 1_000).toISOString();
  expect(await item(partnerId)).toMatchObject({ email, addressHeldUntil });
};

const countOf = (workspaceId: number) => keys.recipients(workspaceId, '2026-11-20');

describe('the former e-mail address of a partner whose address is changed', () => {
  it('gets at most three notices a week from all workspaces if no account of an accepted partner uses it, even in parallel', async () => {
    const programs = await Promise.all(Array.from({ length: 8 }, () => programOf(world)));
    const email = newAddress('stranger');
    const ids = await Promise.all(programs.map(({ add }) => add(email)));
    await Promise.all(programs.map((made, n) => moved(made, ids[n]!)));
    expect(await mailsTo(email)).toEqual(Array.from({ length: 3 }, () => 'partner_address_changed'));
    const last = await programOf(world);
    expectLimited(await last.user.post(`${last.url}/partners`, { name: 'Ben', email, invite: true }), 7 * DAY_SECONDS);
  });

  it('gets a notice only if the workspace has written to fewer than 50 new people on the same day', async () => {
    const made = await programOf(world);
    const day = countOf(made.brand.program.workspaceId);
    await world.deps().table.update(day, { set: { count: 48 } });
    const ids = await Promise.all(Array.from({ length: 4 }, () => made.add(newAddress('stranger'))));
    await Promise.all(ids.map((id) => moved(made, id)));
    await pump.run();
    expect(mailbox.received).toHaveLength(2);
    expect(await world.items(day.pk)).toMatchObject([{ count: 50 }]);
  });

  it('gets no further mail after its owner reported an unknown sender by the link in a notice', async () => {
    const made = await programOf(world);
    const email = newAddress('stranger');
    await moved(made, await made.add(email));
    await pump.run();
    const { text, headers } = mailbox.received.find(({ to }) => to === email)!;
    const link = /^I don't know this sender: https:\/\/track\.test(\S+)$/m.exec(text)![1]!;
    expect(text).not.toContain('unsubscribe');
    expect(headers).not.toHaveProperty('List-Unsubscribe');
    expect((await apiClient('', undefined).post(link, '')).status).toBe(200);
    const again = later(8);
    const wanted = { name: 'Ben', email };
    const { data } = (await made.user.post(`${made.url}/partners`, wanted, { at: again })).body;
    await moved(made, data.id, again);
    expect(await mailsTo(email)).toEqual(['partner_address_changed']);
    expect((await made.row(data.id)).mail).toBe('ok');
  });

  it('gets no notice if its owner blocked the sender of the invitation', async () => {
    const made = await programOf(world);
    const email = newAddress('stranger');
    const partnerId = await made.add(email, { invite: true });
    await pump.run();
    const [, link] = /sender: https:\/\/track\.test(\S+)$/m.exec(mailbox.received[0]!.text)!;
    await apiClient('', undefined).post(link!, '');
    await moved(made, partnerId, later(8));
    expect(await mailsTo(email)).toEqual(['partner_invited']);
  });

  it('gets one notice a day if an accepted partner’s account uses it, however many mails it has already got', async () => {
    const made = await programOf(world);
    const { account, partnerId } = await made.person();
    await world.deps().table.update(countOf(made.brand.program.workspaceId), { set: { count: 50 } });
    const others = await Promise.all([1, 2, 3].map(() => programOf(world)));
    await Promise.all(others.map(({ add }) => add(account.email, { invite: true })));
    for (const at of [NOW, NOW, later(1)]) await moved(made, partnerId, at);
    const told = (await mailsTo(account.email)).filter((kind) => kind !== 'partner_invited');
    expect(told).toEqual(['partner_address_changed', 'partner_address_changed']);
    expect(mailbox.received).toHaveLength(5);
    expect(mailbox.received.at(-1)!.text).not.toContain("I don't know this sender");
  });
});

it('an invitation to a workspace sends no mail', async () => {
  await ownerOf(world);
  expect(mailbox.received).toEqual([]);
});

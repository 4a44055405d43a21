import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { png } from '#test/support/programs/images.ts';
import { memberOf, newAddress, ownerOf } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { handler as block } from '#functions/mail/block/post.ts';

const { world, mailbox, pump } = await openMailWorld();
beforeEach(async () => {
  await pump.fresh();
  mailbox.answer();
});

const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

describe('a mail to a partner', () => {
  it('comes from the brand of its program, with its logo, color and contact', async () => {
    const { user, url, add } = await programOf(world);
    const brand = { display_name: 'Bücher & Co', accent_color: '#12694a', contact_email: 'Help@acme.test' };
    await user.patch(`${url}/brand`, brand);
    const headers = { 'content-type': 'image/png' };
    const logo = await user.put(`${url}/brand/logo`, png().toString('base64'), { isBase64Encoded: true, headers });
    await add(newAddress(), { invite: true });
    await pump.run();
    const [mail] = mailbox.received;
    expect(mail).toMatchObject({
      from: '=?UTF-8?B?QsO8Y2hlciAmIENvIHZpYSBSZWZlcnJhbHM=?= <referrals@acme.test>',
      replyTo: ['help@acme.test'],
      subject: 'Become a partner of Bücher & Co',
    });
    expect(mail!.html).toContain(`<img src="https://track.test${logo.body.data.logo.url}" alt="Bücher &amp; Co"`);
    expect(mail!.html).toContain('background:#12694a;');
  });

  it.each(['help..desk@acme.test', '.help@acme.test', 'help.@acme.test', 'help@acme..test', 'help@a_b.test'])(
    'has no address for replies if that is %s, for which SES would take no mail of the brand',
    async (contact) => {
      const { user, url, add } = await programOf(world);
      expect((await user.patch(`${url}/brand`, { contact_email: contact })).status).toBe(200);
      await add(newAddress(), { invite: true });
      await pump.run();
      expect(mailbox.received).toMatchObject([{ replyTo: undefined }]);
    },
  );

  it('contains the program’s offer and a button that opens the program’s page', async () => {
    const { id, user, url, add } = await programOf(world);
    await user.patch(url, { commission_type: 'recurring_percent', commission_rate: 12.5, duration_months: 12 });
    await add(newAddress(), { invite: true });
    await pump.run();
    const [mail] = mailbox.received;
    expect(mail!.text).toContain(
      '\n\nYou earn 12.5% of each sale, renewals for 12 months. Commissions wait 15 days for refunds.\n\n',
    );
    expect(mail!.text).toContain(`\n\nSee the invitation: https://track.test/partner/programs/${id}\n\n`);
  });

  it('contains the terms of the partner’s group', async () => {
    const { user, url, add } = await programOf(world);
    const terms = { commission_type: 'fixed', commission_rate: 7, hold_period_days: 0, lead_commission_cents: 150 };
    const group = await user.post(`${url}/groups`, { name: 'Creators', terms });
    const partnerId = await add(newAddress(), { invite: true });
    await user.patch(`${url}/partners/${partnerId}`, { group_id: group.body.data.id });
    await pump.run();
    expect(mailbox.received[0]!.text).toContain(
      '\n\nYou earn $7 per sale, renewals excluded, and $1.50 per signup. Commissions do not wait for refunds.\n\n',
    );
  });

  it('contains the program’s terms if a former version of the service stored the mail, without the partner’s terms', async () => {
    const { id, brand } = await programOf(world);
    const data = { programId: id, programName: brand.program.name };
    const to = { email: newAddress() };
    await world
      .deps()
      .table.transact(mailWrites({ kind: 'partner_invited', fact: `former ${id}`, to, data, now: NOW }));
    await pump.run();
    expect(mailbox.received[0]!.text).toContain('You earn 20% of each sale, renewals excluded.');
  });
});

const invite = async (token: string, email: string, more: object = {}, at = NOW) =>
  (await dashboard(token).post('/workspace/members', { email, role: 'member', ...more }, { at })).status;
const sent = async () => {
  await pump.run();
  return mailbox.received.map(({ to, from, tags, subject }) => ({ to, from, kind: tags.kind, subject }));
};

describe('a person who is invited to a workspace', () => {
  it('gets one mail for each invitation, and none when an owner only changes the role in the invitation', async () => {
    const { token } = await ownerOf(world, newAddress('owner'), 'Acme evil.example');
    const email = newAddress();
    expect([await invite(token, email), await invite(token, email, { role: 'owner' })]).toEqual([200, 200]);
    const mail = { to: email, from: 'referrals@acme.test', kind: 'member_invited' };
    expect(await sent()).toEqual([{ ...mail, subject: 'Join Acme evil example on Referrals' }]);
    expect(mailbox.received[0]!.text).toMatch(
      /\n\n.+ invites you to the workspace Acme evil example on Referrals\.\n\n[^]*\n\nSee the invitation: https:\/\/track\.test\n\n/,
    );
    await dashboard(token).delete(`/workspace/members/${encodeURIComponent(email)}`);
    await invite(token, email);
    expect(await sent()).toHaveLength(2);
  });

  it('gets one mail if several owners invite the person in parallel', async () => {
    const owner = await ownerOf(world);
    const other = await memberOf(world, owner.workspace, 'owner');
    await pump.fresh();
    const email = newAddress();
    const owners = [owner, other, owner, other];
    expect(await Promise.all(owners.map(({ token }) => invite(token, email)))).toEqual([200, 200, 200, 200]);
    expect(await sent()).toHaveLength(1);
  });

  it('gets at most three mails in seven days from all workspaces together; further invitations send no mail', async () => {
    const email = newAddress();
    const owners = await Promise.all([1, 2, 3, 4].map(() => ownerOf(world)));
    for (const { token } of owners) expect(await invite(token, email)).toBe(200);
    expect(await sent()).toHaveLength(3);
    expect(await world.items(`INVITATION#${email}`)).toHaveLength(4);
    const { token } = await ownerOf(world);
    expect(await invite(token, email, {}, later(7))).toBe(200);
    expect(await sent()).toHaveLength(4);
  });

  it('can block the workspace through a link in the mail; later invitations from that workspace send no mail', async () => {
    const { token } = await ownerOf(world);
    const email = newAddress();
    await invite(token, email);
    await sent();
    const blockUrl = /I don't know this sender: (\S+)$/m.exec(mailbox.received[0]!.text)![1]!;
    const query = Object.fromEntries(new URL(blockUrl).searchParams);
    expect((await send(block, { query })).status).toBe(200);
    await dashboard(token).delete(`/workspace/members/${encodeURIComponent(email)}`);
    expect(await invite(token, email)).toBe(200);
    expect(await sent()).toHaveLength(1);
  });
});

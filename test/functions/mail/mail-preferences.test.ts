import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as feedback } from '#functions/mail/feedback.ts';
import { handler as page } from '#functions/mail/unsubscribe/get.ts';
import { handler as unsubscribe } from '#functions/mail/unsubscribe/post.ts';
import { handler as changePartner } from '#functions/dashboard/partner/patch.ts';
import { handler as partnerOf } from '#functions/dashboard/partner/get.ts';
import { type MailFact, mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { setMailPreference } from '#lib/service/programs/partners/set-mail-preference.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';

const { world, mailbox, pump } = await openMailWorld();
let brand: Brand;
beforeEach(async () => {
  brand = await world.brand();
  await pump.fresh();
  mailbox.answer();
});

let facts = 0;
async function tell(told: Partial<MailFact>): Promise<string> {
  const { id: programId, name: programName } = brand.program;
  const invited = { kind: 'partner_invited', data: { programId, programName } } as const;
  const fact = { ...invited, fact: String(++facts), ...told } as MailFact & { to: { email: string } };
  await world.deps().table.transact(mailWrites({ ...fact, now: NOW }));
  await pump.run();
  return mailIdOf(fact, fact.to.email);
}
const detailsChanged = (email: string) =>
  tell({ kind: 'payout_details_changed', to: { email }, data: { masked: '****6789' } });

/** A partner of the brand found by address, as without an account, or by account. */
async function partnerWith(email: string, accountId?: number) {
  const { id: programId } = brand.program;
  const { partner } = brand;
  const invitedAt = NOW.toISOString();
  const joinedAt = accountId === undefined ? undefined : invitedAt;
  await world
    .deps()
    .table.update(keys.partner(programId, partner.id), { set: { email, accountId, invitedAt, joinedAt } });
  const pointer =
    accountId === undefined ? keys.partnerOfEmail(email, programId) : keys.accountPartner(accountId, programId);
  await world.replace({ ...pointer, partnerId: partner.id });
}
async function shownToBrand(): Promise<string> {
  const { token } = await ownerOfBrand(world, brand);
  const pathParameters = { id: String(brand.program.id), partner_id: String(brand.partner.id) };
  const { body } = await send(partnerOf, { method: 'GET', key: token, pathParameters });
  return body.data.mail;
}

const tokenIn = (at = 0): string =>
  new URL(mailbox.received[at]!.headers['List-Unsubscribe']!.slice(1, -1)).searchParams.get('token')!;
const click = (token: string) =>
  send(unsubscribe, {
    query: { token },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
const account = (id: number, email: string, more: object = {}) =>
  Promise.all([
    world.replace({ ...keys.account(id), id, email, name: 'Ana', ...more }),
    world.replace({ ...keys.accountEmail(email), accountId: id }),
  ]);

describe('the unsubscribe link in a mail', () => {
  it('stops further mails after one click, except warnings about changed payout details', async () => {
    const email = 'one@partners.test';
    await partnerWith(email);
    await tell({ to: { email } });
    const reply = await click(tokenIn());
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      },
      body: expect.stringContaining('You get no more mails as a partner.'),
    });
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([
      { ...keys.mailAddress(email), refusedAt: NOW.toISOString() },
    ]);
    expect(await shownToBrand()).toBe('refused');
    mailbox.answer();
    await tell({ to: { email } });
    await detailsChanged(email);
    expect(mailbox.received.map(({ tags }) => tags.kind)).toEqual(['payout_details_changed']);
  });

  it('can be used again; GET shows only a page with a form, because mail scanners open links', async () => {
    const email = 'two@partners.test';
    await tell({ to: { email } });
    const shown = await send(page, { method: 'GET', query: { token: tokenIn() } });
    expect(shown).toMatchObject({ status: 200, body: expect.stringContaining('<form method="post">') });
    expect(shown.body).not.toContain(tokenIn());
    const style = /<style>([^]*)<\/style>/.exec(shown.body)![1]!;
    expect(shown.headers['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([]);
    expect((await click(tokenIn())).status).toBe(200);
    expect((await click(tokenIn())).status).toBe(200);
  });

  it.each(['', 'made-up', 'x'.repeat(5_000)])('is invalid with the token %j', async (token) => {
    expect(await click(token)).toMatchObject({ status: 404, body: { error: { message: 'This link is not valid' } } });
  });

  it('unsubscribes the account, also under a later e-mail address, until the account subscribes again', async () => {
    await account(801, 'three@partners.test');
    await partnerWith('three@work.test', 801);
    await tell({ to: { email: 'three@work.test', accountId: 801 } });
    await click(tokenIn());
    expect((await world.items(keys.account(801).pk)).find(({ sk }) => sk === 'ACCOUNT')).toMatchObject({
      refusesMail: true,
    });
    expect(await shownToBrand()).toBe('refused');
    mailbox.answer();
    await tell({ to: { email: 'three@new.test', accountId: 801 } });
    expect(mailbox.received).toEqual([]);
    await setMailPreference(world.deps(), { email: 'three@work.test', accountId: 801 }, true);
    expect(await shownToBrand()).toBe('ok');
    await tell({ to: { email: 'three@work.test', accountId: 801 } });
    expect(mailbox.received).toHaveLength(1);
  });

  it('stops the mails that an owner gets as a partner, but not the mails that the person gets as an owner', async () => {
    const { workspaceId, id: programId, name: programName } = brand.program;
    const [member] = (await world.items(keys.workspace(workspaceId).pk))[0]!.members as { accountId: number }[];
    await world.deps().table.update(keys.account(member!.accountId), { set: { refusesMail: true } });
    await tell({
      kind: 'webhook_disabled',
      to: { ownersOf: workspaceId },
      data: { programId, programName, url: 'https://acme.test/hook', reason: 'It answered 410 Gone' },
    });
    expect(mailbox.received.map(({ tags }) => tags.kind)).toEqual(['webhook_disabled']);
  });
});

it('an unsubscribe link without a token is refused as invalid', async () => {
  expect(await send(unsubscribe, {})).toMatchObject({ status: 404 });
});

type Fields = Record<string, unknown>;

/** An event of Amazon SES as EventBridge delivers it. @param about `bounce` or `complaint` */
const sesEvent = (eventType: string, mailId: string | undefined, about: Fields = {}, to = 'ana@partners.test') => ({
  version: '0',
  id: '12345678-1234-1234-1234-123456789012',
  'detail-type': eventType === 'Bounce' ? 'Email Bounced' : 'Email Complaint Received',
  source: 'aws.ses',
  account: '111122223333',
  time: '2026-11-20T15:00:00Z',
  region: 'us-east-1',
  resources: ['arn:aws:ses:us-east-1:111122223333:configuration-set/Mail'],
  detail: {
    eventType,
    ...about,
    mail: {
      timestamp: '2026-11-20T14:59:58.123Z',
      source: 'referrals@acme.test',
      sourceArn: 'arn:aws:ses:us-east-1:111122223333:identity/acme.test',
      sendingAccountId: '111122223333',
      messageId: '0100016d23ba71aa-00000000-0000-0000-0000-000000000000-000000',
      destination: [to],
      headersTruncated: false,
      headers: [{ name: 'To', value: to }],
      commonHeaders: { from: ['referrals@acme.test'], to: [to], subject: 'New terms' },
      tags: {
        'ses:operation': ['SendEmail'],
        'ses:configuration-set': ['Mail'],
        'ses:from-domain': ['acme.test'],
        kind: ['partner_invited'],
        ...(mailId !== undefined && { mail: [mailId] }),
      },
    },
  },
});
const bounced = (bounceType: string, bounceSubType: string, to = 'ana@partners.test'): Fields => ({
  bounce: {
    feedbackId: '0100016d23bac1b2-00000000-0000-0000-0000-000000000000-000000',
    bounceType,
    bounceSubType,
    bouncedRecipients: [
      { emailAddress: to, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    ],
    timestamp: '2026-11-20T15:00:00.000Z',
    reportingMTA: 'dsn; a8-17.smtp-out.amazonses.com',
  },
});
const complained = (more: Fields, to = 'ana@partners.test'): Fields => ({
  complaint: {
    feedbackId: '0100016d23bac1b2-00000000-0000-0000-0000-000000000000-000000',
    complaintSubType: null,
    complainedRecipients: [{ emailAddress: to }],
    timestamp: '2026-11-20T15:00:00.000Z',
    ...more,
  },
});
const complaint = (mailId: string, to?: string) => feedback(sesEvent('Complaint', mailId, complained({}, to), to));

describe('a mail that bounces or is reported as spam', () => {
  it.each([
    ['Bounce', 'General', bounced('Permanent', 'General')],
    ['Bounce', 'OnAccountSuppressionList', bounced('Permanent', 'OnAccountSuppressionList')],
    ['Complaint', 'abuse', complained({ userAgent: 'Provider 1.0', complaintFeedbackType: 'abuse' })],
    ['Complaint', 'without a report', complained({})],
    ['Complaint', 'suppressed', complained({ complaintSubType: 'OnAccountSuppressionList' })],
  ])(
    'with the SES event %s (%s) is the last mail to that e-mail address, and the brand sees that mails are blocked',
    async (eventType, name, about) => {
      const email = `${eventType}-${name.replace(' ', '-')}@partners.test`.toLowerCase();
      await partnerWith(email);
      const id = await tell({ to: { email } });
      const event = sesEvent(eventType, id, about, email);
      await Promise.all([feedback(event), feedback(event)]);
      await feedback({ ...event, time: '2026-11-21T15:00:00Z' });
      expect(await world.items(keys.mailAddress(email).pk)).toEqual([
        {
          ...keys.mailAddress(email),
          gsi1pk: 'SUPPRESSED_ADDRESSES',
          gsi1sk: `${NOW.toISOString()}#${email}`,
          suppressedAt: NOW.toISOString(),
        },
      ]);
      expect(await shownToBrand()).toBe('suppressed');
      mailbox.answer();
      await tell({ to: { email } });
      await detailsChanged(email);
      expect(mailbox.received).toEqual([]);
    },
  );

  it('blocks its e-mail address only until the operator unblocks the address', async () => {
    const email = 'mended@partners.test';
    await partnerWith(email);
    await complaint(await tell({ to: { email } }), email);
    expect(await shownToBrand()).toBe('suppressed');
    const { addresses } = await operated(world, 'mail list-suppressed');
    expect(addresses).toContainEqual({ email, suppressed_at: NOW.toISOString() });
    expect((await operator(world, 'mail list-suppressed')).out.join('\n')).toContain(`${NOW.toISOString()}  ${email}`);

    const lifted = { email, suppressed: false };
    expect(await operated(world, ['mail', 'unsuppress', '--email', ` ${email.toUpperCase()}`])).toEqual(lifted);
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([keys.mailAddress(email)]);
    expect((await operated(world, 'mail list-suppressed')).addresses).not.toContainEqual(
      expect.objectContaining({ email }),
    );
    expect(await shownToBrand()).toBe('ok');
    mailbox.answer();
    await tell({ to: { email } });
    expect(mailbox.received).toHaveLength(1);

    expect(await operated(world, `mail unsuppress --email ${email}`)).toEqual(lifted);
    expect(await refusedWith(world, 'mail unsuppress --email nobody@partners.test')).toBe(
      'Mails to nobody@partners.test are not held back',
    );
  });

  it('leaves an unsubscribed person unsubscribed when the operator unblocks the e-mail address', async () => {
    const email = 'unwilling@partners.test';
    const id = await tell({ to: { email } });
    const { table } = world.deps();
    await table.update(keys.mailAddress(email), { set: { refusedAt: NOW.toISOString() } });
    await complaint(id, email);
    await operated(world, `mail unsuppress --email ${email}`);
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([
      { ...keys.mailAddress(email), refusedAt: NOW.toISOString() },
    ]);
  });

  it.each([
    ['Bounce', bounced('Transient', 'MailboxFull')],
    ['Bounce', bounced('Undetermined', 'Undetermined')],
    ['Bounce', {}],
    ['Complaint', complained({ complaintFeedbackType: 'not-spam' })],
    ['Delivery', {}],
  ])('does not block its e-mail address if SES reports %s with %j', async (eventType, about) => {
    const email = 'full@partners.test';
    const id = await tell({ to: { email } });
    await feedback(sesEvent(eventType, id, about, email));
    expect(await world.items(keys.mailAddress(email).pk)).toEqual([]);
  });

  it('does not block its e-mail address if this service did not send it', async () => {
    const before = await allItems(world);
    const { detail, ...others } = sesEvent('Complaint', undefined, complained({}));
    await feedback({ ...others, detail });
    await feedback({ ...others, detail: { ...detail, mail: {} } });
    for (const id of ['unknown', '', 'f'.repeat(32)]) {
      await feedback(sesEvent('Bounce', id, bounced('Permanent', 'General')));
    }
    expect(await allItems(world)).toEqual(before);
  });

  it('raises an alarm if its notification cannot be parsed', async () => {
    const before = await allItems(world);
    for (const event of [{}, { detail: null }, { detail: {} }, { detail: { eventType: 'Complaint', mail: null } }]) {
      await expect(feedback(event as unknown as Parameters<typeof feedback>[0])).rejects.toThrow(TypeError);
    }
    expect(await allItems(world)).toEqual(before);
  });

  it('does not stop mails to other partners of the program', async () => {
    const { id: programId, name: programName } = brand.program;
    const email = 'gone@partners.test';
    await partnerWith(email);
    await complaint(await tell({ to: { email } }));
    const bea = await addPartner(world.deps(), programId, { name: 'Bea', email: 'bea@partners.test' });
    const { table } = world.deps();
    for (const [accountId, { id }, address] of [
      [811, brand.partner, email],
      [812, bea, bea.email],
    ] as const) {
      await world.replace({ ...keys.account(accountId), id: accountId, email: address, name: 'Ana' });
      await table.update(keys.partner(programId, id), { set: { accountId, joinedAt: NOW.toISOString() } });
    }
    mailbox.answer();
    const fact = { kind: 'terms_changed', fact: `${programId} 2`, to: { activePartnersOf: programId } } as const;
    const data = { programId, programName, version: 2 };
    await world.deps().table.transact(mailWrites({ ...fact, data, now: NOW }));
    await pump.run();
    expect(mailbox.received.map(({ to }) => to)).toEqual(['bea@partners.test']);
    const [mail] = await world.items(keys.mail(mailIdOf(fact, email)).pk);
    expect(mail).toMatchObject({ status: 'suppressed', endedAt: expect.any(String) });
    expect(mail).not.toHaveProperty('gsi1pk');
  });

  it('is shown to a brand that adds the partner later only after the next mail to that address', async () => {
    const email = 'later@partners.test';
    await complaint(await tell({ to: { email } }));
    await partnerWith(email);
    expect(await shownToBrand()).toBe('ok');
    await tell({ to: { email } });
    expect(await shownToBrand()).toBe('suppressed');
  });

  it('blocks only that e-mail address: the partner’s next address starts with its own state', async () => {
    const { id: programId } = brand.program;
    const { token } = await ownerOfBrand(world, brand);
    const [email, mended, complaining] = ['typo@partners.test', 'mended@work.test', 'complaining@work.test'];
    const partner = await addPartner(world.deps(), programId, { name: 'Bea', email });
    const pathParameters = { id: String(programId), partner_id: String(partner.id) };
    const shown = async () => (await send(partnerOf, { method: 'GET', key: token, pathParameters })).body.data.mail;
    const moveTo = async (to: string) =>
      (await send(changePartner, { method: 'PATCH', key: token, pathParameters, body: { email: to } })).body.data;
    await complaint(await tell({ to: { email } }), email);
    expect(await shown()).toBe('suppressed');

    expect(await moveTo(mended)).toMatchObject({ email: mended, mail: 'ok' });
    expect(await shown()).toBe('ok');
    const item = async () =>
      (await world.items(keys.program(programId).pk)).find(({ sk }) => sk === keys.partner(programId, partner.id).sk);
    expect(await item()).not.toHaveProperty('mail');

    await complaint(await tell({ to: { email: complaining } }), complaining);
    expect(await moveTo(complaining)).toMatchObject({ email: complaining, mail: 'suppressed' });
    expect(await item()).toMatchObject({ email: complaining, mail: 'suppressed' });

    // An account that unsubscribed gets no mails at any address.
    await account(802, 'bea@home.test', { refusesMail: true });
    await world.deps().table.update(keys.partner(programId, partner.id), {
      set: { accountId: 802, joinedAt: NOW.toISOString() },
    });
    expect(await moveTo('bea@home.test')).toMatchObject({ email: 'bea@home.test', mail: 'refused' });
    expect(await item()).toMatchObject({ accountId: 802, mail: 'refused' });
  });
});

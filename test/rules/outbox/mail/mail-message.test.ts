import { describe, expect, it } from 'vitest';
import { type Mail, mailIdOf, mayBeRefused, mayBlockSender } from '#lib/service/people/mail/mail.ts';
import { messageOf } from '#lib/service/outbox/mail/mail-message.ts';

const site = 'https://track.test';
const refusalUrl = 'https://track.test/api/v1/mail/unsubscribe?token=t&x="';
const id = 'f'.repeat(32);
const to = { email: 'ana@partners.test', name: 'Ana' };
const acme = { programId: 7, programName: 'Acme & Söhne' };

const mails: readonly Mail[] = [
  { kind: 'partner_invited', to, data: acme },
  { kind: 'application_decided', to, data: { ...acme, decision: 'accepted' } },
  { kind: 'application_decided', to, data: { ...acme, decision: 'rejected', reason: 'Too\nfew readers' } },
  {
    kind: 'payout_made',
    to,
    data: {
      ...acme,
      payoutId: 3,
      amounts: [
        { currency: 'USD', amountCents: 980 },
        { currency: 'VND', amountCents: 50_000 },
      ],
    },
  },
  {
    kind: 'payout_returned',
    to,
    data: { ...acme, payoutId: 3, amount: { currency: 'USD', amountCents: 980 }, reason: 'The account is closed.' },
  },
  { kind: 'payout_details_changed', to, data: { masked: 'DE** **** 3000', heldUntil: '2026-11-21T15:00:00.000Z' } },
  { kind: 'payout_details_changed', to, data: { masked: 'DE** **** 3000' } },
  {
    kind: 'partner_address_changed',
    to: { ...to, accountId: 3 },
    data: { ...acme, heldUntil: '2026-11-23T15:00:00.000Z' },
  },
  { kind: 'partner_address_changed', to, data: { ...acme, heldUntil: '2026-11-23T15:00:00.000Z' } },
  { kind: 'payout_details_changed', to, data: {} },
  { kind: 'details_downloaded', to, data: acme },
  { kind: 'data_exported', to, data: { at: '2026-11-20T15:00:00.000Z' } },
  { kind: 'account_closed', to, data: { at: '2026-11-20T15:00:00.000Z' } },
  { kind: 'terms_changed', to, data: { ...acme, version: 2 } },
  { kind: 'key_rotation_due', to, data: { ...acme, deadline: '2026-12-01T00:00:00.000Z' } },
  { kind: 'webhook_disabled', to, data: { ...acme, url: 'https://acme.test/hook', reason: 'It answered 410 Gone' } },
  { kind: 'sale_id_in_use', to, data: acme },
  { kind: 'payout_due', to, data: { ...acme, day: '2026-12-01' } },
  { kind: 'payout_due', to, data: { ...acme, day: '2026-12-01', areFrozen: true } },
  {
    kind: 'signed_in',
    to,
    data: { at: '2026-11-20T15:00:00.000Z', browser: 'Firefox on Windows', address: '203.0.113.x', place: 'Lisbon' },
  },
  { kind: 'signed_in', to, data: { at: '2026-11-20T15:00:00.000Z', isMember: true } },
  { kind: 'terminal_signed_in', to, data: { at: '2026-11-20T15:00:00.000Z', isMember: true, address: '203.0.113.x' } },
  {
    kind: 'owner_digest',
    to,
    data: {
      day: '2026-11-20',
      programs: [
        { ...acme, applications: 3, names: ['Ben', 'Cy'], queued: 2, held: 1 },
        { programId: 8, programName: 'Bolt', applications: 0, names: [], queued: 1, held: 2 },
      ],
      otherPrograms: 4,
    },
  },
  {
    kind: 'owner_digest',
    to,
    data: {
      day: '2026-11-20',
      programs: [{ ...acme, applications: 1, names: ['Ben'], queued: 0, held: 0 }],
      otherPrograms: 0,
    },
  },
  {
    kind: 'owner_digest',
    to,
    data: {
      day: '2026-11-20',
      programs: [{ ...acme, applications: 0, names: [], queued: 0, held: 2 }],
      otherPrograms: 0,
    },
  },
];
const blockUrl = 'https://track.test/api/v1/mail/block?token=abc';
const written = (mail: Mail) =>
  messageOf(mail, {
    id,
    site,
    ...(mayBeRefused(mail.kind) && { refusalUrl }),
    ...(mayBlockSender(mail) && { blockUrl }),
  });

describe.each(mails)('the mail $kind', (mail) => {
  it('has the expected text', () => {
    expect(written(mail)).toMatchSnapshot();
  });

  it('has one page link in both formats, and one to unsubscribe or to block the sender where possible', () => {
    const { text, html } = written(mail);
    const count = 1 + Number(mayBeRefused(mail.kind)) + Number(mayBlockSender(mail));
    expect(text.match(/https:\/\/track\.test\b/g)).toHaveLength(count);
    expect(html.match(/href="https:\/\/track\.test\b/g)).toHaveLength(count);
    expect(html).not.toMatch(/<img|<script|src=/);
  });
});

it.each([
  ['application_decided', '/partner/programs/7/links'],
  ['payout_made', '/partner/programs/7/payouts'],
  ['payout_details_changed', '/partner/payout-details'],
  ['terms_changed', '/partner/programs/7/terms'],
  ['signed_in', '/partner/settings'],
  ['terminal_signed_in', '/members'],
])('the mail %s links to the page it is about', (kind, path) => {
  expect(written(mails.find((mail) => mail.kind === kind)!).text).toMatch(new RegExp(`: ${site}${path}$`, 'm'));
});

it('a mail never calls the first payout details a change, with or without a payout hold', () => {
  const data = { masked: 'DE** **** 3000' };
  const held = { ...data, heldUntil: '2026-11-21T15:00:00.000Z' };
  const subjectOf = (about: typeof data & { readonly areFirst?: true }) =>
    written({ kind: 'payout_details_changed', to, data: about }).subject;
  expect(subjectOf(data)).toBe('Your payout details were set');
  expect(subjectOf({ ...held, areFirst: true })).toBe('Your payout details were set');
  expect(subjectOf(held)).toBe('Your payout details were changed');
});

const hostile = '<b>"\'&\r\nBcc: eve@evil.test\u202e';

it('mail escapes user text for markup and headers', () => {
  for (const mail of mails) {
    const data = {
      ...mail.data,
      programName: hostile,
      partnerName: hostile,
      masked: hostile,
      reason: hostile,
      url: hostile,
    };
    const { subject, html, headers, text } = written({ ...mail, to: { ...to, name: hostile }, data } as Mail);
    expect(subject).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text.split('\n')[0]).toBe('Hello <b>"\'& Bcc: eve evil test,');
    expect(html).not.toContain('<b>');
    expect(Object.values(headers).join('')).not.toMatch(/[\r\n]/);
  }
});

it('a mail contains a placeholder for a program name that cannot be shown', () => {
  const { subject } = written({ kind: 'partner_invited', to, data: { programId: 1, programName: 'https://' } });
  expect(subject).toBe('Become a partner of Somebody');
});

it('a mail greets a recipient without a name generically, and truncates a long name', () => {
  const { text, subject } = written({
    kind: 'partner_invited',
    to: { email: 'ana@partners.test' },
    data: { programId: 1, programName: 'x'.repeat(400) },
  });
  expect(text).toMatch(/^Hello,\n/);
  expect(subject).toBe(`Become a partner of ${'x'.repeat(59)}…`);
});

it('a mail lets recipients whose address a brand entered block its sender', () => {
  const blockable = mails.filter((mail) => mayBlockSender(mail));
  expect(blockable.map(({ kind, to: { accountId } }) => [kind, accountId])).toEqual([
    ['partner_invited', undefined],
    ['partner_address_changed', undefined],
  ]);
});

it('a mail has one message id per fact and address', () => {
  const fact = { kind: 'terms_changed', fact: '1 2' } as const;
  const ids = [
    mailIdOf(fact, 'ana@partners.test'),
    mailIdOf(fact, 'ben@partners.test'),
    mailIdOf(fact),
    mailIdOf({ ...fact, fact: '1 3' }, 'ana@partners.test'),
    mailIdOf({ ...fact, kind: 'payout_made' }, 'ana@partners.test'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(mailIdOf(fact, 'ana@partners.test')).toBe(ids[0]);
});

it('a mail of an unknown kind from a later version is refused', () => {
  const unknown = { kind: 'birthday', to, data: {} } as unknown as Mail;
  expect(() => messageOf(unknown, { id, site })).toThrow('There are no mails of this kind');
});

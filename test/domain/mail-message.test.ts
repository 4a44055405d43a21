import { describe, expect, it } from 'vitest';
import { type Mail, mailIdOf, mayBeRefused } from '#lib/domain/mail.ts';
import { messageOf } from '#lib/domain/mail-message.ts';

const site = 'https://track.test';
const refusalUrl = 'https://track.test/api/v1/mail/unsubscribe?token=t&x="';
const id = 'f'.repeat(32);
const to = { email: 'ana@partners.test', name: 'Ana' };
const acme = { programId: 7, programName: 'Acme & Söhne' };

const mails: readonly Mail[] = [
  { kind: 'partner_invited', to, data: acme },
  { kind: 'application_received', to, data: { ...acme, partnerId: 9, partnerName: 'Ben' } },
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
  { kind: 'payout_details_changed', to, data: { masked: 'DE** **** 3000', heldUntil: '2026-11-21T15:00:00.000Z' } },
  { kind: 'payout_details_changed', to, data: { masked: 'DE** **** 3000' } },
  { kind: 'payout_details_changed', to, data: {} },
  { kind: 'details_downloaded', to, data: acme },
  { kind: 'data_exported', to, data: { at: '2026-11-20T15:00:00.000Z' } },
  { kind: 'terms_changed', to, data: { ...acme, version: 2 } },
  { kind: 'key_rotation_due', to, data: { ...acme, deadline: '2026-12-01T00:00:00.000Z' } },
  { kind: 'webhook_disabled', to, data: { ...acme, url: 'https://acme.test/hook', reason: 'It answered 410 Gone' } },
  { kind: 'commissions_held', to, data: acme },
];
const written = (mail: Mail) => messageOf(mail, { id, site, ...(mayBeRefused(mail.kind) && { refusalUrl }) });

describe.each(mails)('$kind', (mail) => {
  it('says this', () => {
    expect(written(mail)).toMatchSnapshot();
  });

  it('has one link to a page in both forms, and one to refuse further mails where that is possible', () => {
    const { text, html } = written(mail);
    const count = mayBeRefused(mail.kind) ? 2 : 1;
    expect(text.match(/https:\/\/track\.test\//g)).toHaveLength(count);
    expect(html.match(/href="https:\/\/track\.test\//g)).toHaveLength(count);
    expect(html).not.toMatch(/<img|<script|src=/);
  });
});

it.each([
  ['application_decided', '/partner/programs/7/links'],
  ['payout_made', '/partner/programs/7/payouts'],
  ['payout_details_changed', '/partner/payout-details'],
  ['terms_changed', '/partner/programs/7/terms'],
])('%s leads to the page that it is about', (kind, path) => {
  expect(written(mails.find((mail) => mail.kind === kind)!).text).toMatch(new RegExp(`: ${site}${path}$`, 'm'));
});

it('calls the first payout details no change: no payout is held for them', () => {
  const data = { masked: 'DE** **** 3000' };
  expect(written({ kind: 'payout_details_changed', to, data }).subject).toBe('Your payout details were set');
  expect(
    written({ kind: 'payout_details_changed', to, data: { ...data, heldUntil: '2026-11-21T15:00:00.000Z' } }).subject,
  ).toBe('Your payout details were changed');
});

const hostile = '<b>"\'&\r\nBcc: eve@evil.test\u202e';

it('takes nothing that people have written for markup or for a header', () => {
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
    expect(text.split('\n')[0]).toBe('Hello <b>"\'&Bcc: eve@evil.test,');
    expect(html).not.toContain('<b>');
    expect(Object.values(headers).join('')).not.toMatch(/[\r\n]/);
  }
});

it('greets without a name whoever has none, and cuts what is too long for a line', () => {
  const { text, subject } = written({
    kind: 'partner_invited',
    to: { email: 'ana@partners.test' },
    data: { programId: 1, programName: 'x'.repeat(400) },
  });
  expect(text).toMatch(/^Hello,\n/);
  expect(subject).toHaveLength(300);
});

it('has the same id for the same fact and address, and another for any other', () => {
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

it('cannot be of another kind, as a later version may leave one', () => {
  const unknown = { kind: 'birthday', to, data: {} } as unknown as Mail;
  expect(() => messageOf(unknown, { id, site })).toThrow('There are no mails of this kind');
});

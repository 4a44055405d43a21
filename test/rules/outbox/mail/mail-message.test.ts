import { describe, expect, it } from 'vitest';
import { isOfProgram, type Mail, mailIdOf, mayBeRefused, mayBlockSender } from '#lib/service/people/mail/mail.ts';
import { messageOf } from '#lib/service/outbox/mail/mail-message.ts';
import type { BrandShown } from '#lib/service/programs/brand/brand.ts';

const site = 'https://track.test';
const refusalUrl = 'https://track.test/api/v1/mail/unsubscribe?token=t&x="';
const id = 'f'.repeat(32);
const to = { email: 'ana@partners.test', name: 'Ana' };
const from = 'mail@track.test';
const productName = 'Referrals';
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
  { kind: 'member_invited', to, data: { workspaceId: 2, workspaceName: 'Acme & Söhne', inviterName: 'Ben' } },
  { kind: 'member_invited', to, data: { workspaceId: 2, workspaceName: 'Acme & Söhne' } },
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
const offer = '20% of each sale, renewals for 12 months. Commissions wait 15 days for refunds.';
const brand = {
  name: 'Acme Friends',
  logoUrl: '/brand/7/logo?v=0a1b2c3d',
  accent: { light: '#12694a', dark: '#6fd3a8' },
  contactEmail: 'partners+eu@acme.test',
};
const written = (mail: Mail, brandShown: BrandShown = { name: acme.programName }) =>
  messageOf(mail, {
    id,
    site,
    from,
    productName,
    ...(isOfProgram(mail.kind) && { brand: brandShown }),
    ...(mail.kind === 'partner_invited' && { offer }),
    ...(mayBeRefused(mail.kind) && { refusalUrl }),
    ...(mayBlockSender(mail) && { blockUrl }),
  });

describe.each(mails)('the mail $kind', (mail) => {
  it('has the expected text', () => {
    expect(written(mail)).toMatchSnapshot();
  });

  it('has one link to a page in text and HTML, and one to unsubscribe or to block the sender if that is possible', () => {
    const { text, html } = written(mail);
    const count = 1 + Number(mayBeRefused(mail.kind)) + Number(mayBlockSender(mail));
    expect(text.match(/https:\/\/track\.test\b/g)).toHaveLength(count);
    expect(html.match(/href="https:\/\/track\.test\b/g)).toHaveLength(count);
    expect(html).not.toMatch(/<img|<script|src=|url\(|@import/);
  });
});

it.each([
  ['partner_invited', '/partner/programs/7'],
  ['member_invited', ''],
  ['application_decided', '/partner/programs/7/links'],
  ['payout_made', '/partner/programs/7/payouts/3'],
  ['payout_returned', '/partner/programs/7/payouts/3'],
  ['payout_details_changed', '/partner/payout-details'],
  ['terms_changed', '/partner/programs/7/terms'],
  ['signed_in', '/partner/settings'],
  ['terminal_signed_in', '/members'],
])('the mail %s links to the page that the mail is about', (kind, path) => {
  expect(written(mails.find((mail) => mail.kind === kind)!).text).toMatch(new RegExp(`: ${site}${path}$`, 'm'));
});

it('the mail about payout details says “set” for the first details and “changed” for later ones', () => {
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
      workspaceName: hostile,
      inviterName: hostile,
    };
    const { subject, html, headers, text } = written({ ...mail, to: { ...to, name: hostile }, data } as Mail, {
      name: hostile,
    });
    expect(subject).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text.split('\n')[2]).toBe('Hello <b>"\'& Bcc: eve evil test,');
    expect(isOfProgram(mail.kind) && text.includes('evil.test')).toBe(false);
    expect(html).not.toContain('<b>');
    expect(Object.values(headers).join('')).not.toMatch(/[\r\n]/);
  }
});

it('a mail contains a placeholder for a program name that cannot be shown', () => {
  const data = { programId: 1, programName: 'https://' };
  const { subject } = written({ kind: 'partner_invited', to, data }, { name: 'https://' });
  expect(subject).toBe('Become a partner of Somebody');
});

it('a mail greets a recipient without a name generically, and truncates a long name', () => {
  const name = 'x'.repeat(400);
  const { text, subject } = written(
    { kind: 'partner_invited', to: { email: 'ana@partners.test' }, data: { programId: 1, programName: name } },
    { name },
  );
  expect(text).toMatch(/^Hello,$/m);
  expect(subject).toBe(`Become a partner of ${'x'.repeat(59)}…`);
});

it('a mail lets recipients whose address a brand entered block its sender', () => {
  const blockable = mails.filter((mail) => mayBlockSender(mail));
  expect(blockable.map(({ kind, to: { accountId } }) => [kind, accountId])).toEqual([
    ['partner_invited', undefined],
    ['partner_address_changed', undefined],
    ['member_invited', undefined],
    ['member_invited', undefined],
  ]);
});

it('a mail has the same message id only for the same kind, fact and recipient', () => {
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
  expect(() => messageOf(unknown, { id, site, from, productName })).toThrow('There are no mails of this kind');
});

/** The visible words of a page, and the addresses to which it links. */
function readable(html: string) {
  const body = html.slice(html.indexOf('<body'));
  const words = body
    .replaceAll(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, url]) =>
    url!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
  return { words: words.match(/\S+/g), links };
}

describe('a mail of a program', () => {
  const invited = mails.find(({ kind }) => kind === 'partner_invited')!;

  it('shows the logo, color and contact address of the brand, and loads no other image or script', () => {
    const { from: sender, replyTo, html, text } = written(invited, brand);
    expect({ sender, replyTo }).toEqual({
      sender: '"Acme Friends via Referrals" <mail@track.test>',
      replyTo: 'partners+eu@acme.test',
    });
    expect(html.match(/(src|srcset|background)="[^"]*"|url\([^)]*\)|@import|<link/g)).toEqual([
      'src="https://track.test/brand/7/logo?v=0a1b2c3d"',
    ]);
    expect(html).toContain('alt="Acme Friends" height="40"');
    expect(html).toContain('background:#12694a;');
    expect(html).toContain('.button{background:#6fd3a8!important}');
    expect(html).toContain('href="mailto:partners%2Beu@acme.test"');
    expect(text).toMatch(/^Acme Friends\n/);
    expect(text).toContain('\nQuestions? partners+eu@acme.test\n');
  });

  it('shows the program’s name, and no contact address, if the program has no brand', () => {
    const { from: sender, replyTo, text } = written(invited);
    expect({ sender, replyTo }).toEqual({
      sender: '=?UTF-8?B?QWNtZSAmIFPDtmhuZSB2aWEgUmVmZXJyYWxz?= <mail@track.test>',
      replyTo: undefined,
    });
    expect(text).not.toContain('Questions?');
  });

  it('to invite a partner contains the program’s offer', () => {
    expect(written(invited, brand).text).toContain(`\n\nYou earn ${offer}\n\n`);
  });

  it.each(mails)('has the same words and addresses in text and HTML, below 100 KB: $kind', (mail) => {
    const { text, html } = written({ ...mail, to: { email: to.email } }, brand);
    const { words, links } = readable(html);
    const urls = text.match(/https:\/\/\S+/g)!;
    expect(links.filter((link) => !link.startsWith('mailto:'))).toEqual(urls.filter((url) => url.startsWith(site)));
    const withoutLinks = text.replaceAll(/: https:\/\/track\.test\S*/g, '').replace('-- \n', '');
    expect(words).toEqual(withoutLinks.match(/\S+/g));
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });

  it('never contains a web or e-mail address from a text that a person wrote', () => {
    const decided = mails.find((mail) => mail.kind === 'application_decided' && mail.data.decision === 'rejected')!;
    const reason = 'See evil.example\nor https://evil.example/x?y, www.evil.example, eve@evil.example, 10.0.0.1';
    const { text, html } = written({ ...decided, data: { ...decided.data, reason } } as Mail, {
      ...brand,
      name: 'evil.example',
    });
    for (const part of [text, html]) {
      expect(part).not.toMatch(/evil\.example|www\.|10\.0\.0\.1|@evil/);
      expect(part).toMatch(/See evil example(<br>)?\nor evil example\/x\?y, evil example, eve evil example, 10 0 0 1/);
    }
  });
});

it.each(mails.filter(({ kind }) => !isOfProgram(kind)))(
  'the mail $kind names the service as its sender, not a program',
  (mail) => {
    const { from: sender, replyTo, text } = written(mail, brand);
    expect({ sender, replyTo }).toEqual({ sender: from, replyTo: undefined });
    expect(text).toMatch(/^Referrals\n/);
  },
);

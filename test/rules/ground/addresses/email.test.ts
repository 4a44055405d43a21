import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  isOfMailbox,
  mailDomainOf,
  emailOf,
  traceEmail,
  withoutDomain,
} from '#lib/service/ground/addresses/email.ts';

describe('emailOf, which reads an e-mail address,', () => {
  it.each([
    [' User@Example.COM ', 'user@example.com'],
    ['a@b', 'a@b'],
    ['A@B.test.', 'a@b.test'],
    [`${'a'.repeat(318)}@b`, `${'a'.repeat(318)}@b`],
  ])('reads %j as %s', (sent, email) => {
    expect(emailOf(sent)).toBe(email);
  });

  it.each([undefined, '', 'nobody', 42, {}, ['a@b'], `${'a'.repeat(319)}@b`])('ignores %j', (sent) => {
    expect(emailOf(sent)).toBeUndefined();
  });
});

describe('addressOf, which reads an address for mails,', () => {
  it.each([
    [' Kim@Example.COM. ', 'kim@example.com'],
    ["o'hara+shop/x@bücher.test", "o'hara+shop/x@bücher.test"],
  ])('reads %j as %s', (sent, address) => {
    expect(addressOf(sent)).toBe(address);
  });

  it.each([
    'kim@mail.test/x.test',
    'kim@mail.test?x.test',
    'kim@mail.test#x.test',
    'kim@mail.test:25',
    'kim@m%61il.test',
  ])('refuses %s, because a mail would go to another address', (sent) => {
    expect(addressOf(sent)).toBeUndefined();
  });
});

describe('traceEmail, which masks and hashes an e-mail address,', () => {
  it.each([
    ['user@example.com', 'u***@example.com'],
    ['@example.com', '***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
  ])('masks %s as %s', (email, masked) => {
    expect(traceEmail(email, 'salt').masked).toBe(masked);
  });

  it('hashes with the program’s salt', () => {
    const hash = createHmac('sha256', 'salt').update('user@example.com').digest('hex');
    expect(traceEmail('user@example.com', 'salt').hash).toBe(hash);
    expect(traceEmail('user@example.com', 'other').hash).not.toBe(hash);
  });

  it('shows at most one character of the part before the last @', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const [shown = '', ...domain] = traceEmail(email, 'salt').masked.split('***@');
        expect(shown.length).toBeLessThanOrEqual(1);
        expect(email.endsWith(`@${domain.join('***@')}`)).toBe(true);
      }),
    );
  });
});

describe('the mailbox of an e-mail address', () => {
  it.each([
    ['ana@gmail.com', 'ana@gmail.com'],
    ['a.n.a+shop@googlemail.com', 'ana@gmail.com'],
    ['ana@gmail.com', 'A.na+x@GoogleMail.com'],
    ['ana+shop@mail.example', 'ana@mail.example'],
  ])('of %s is the same as that of %s', (customers, partners) => {
    expect(isOfMailbox(traceEmail(customers, 'salt'), partners, 'salt')).toBe(true);
  });

  it.each([
    ['a.na@mail.example', 'ana@mail.example'],
    ['ana@gmail.com', 'ana@mail.example'],
  ])('of %s differs from that of %s', (customers, partners) => {
    expect(isOfMailbox(traceEmail(customers, 'salt'), partners, 'salt')).toBe(false);
  });

  it('has a separate hash only if the mailbox differs from the e-mail address', () => {
    expect(traceEmail('ana@mail.example', 'salt')).not.toHaveProperty('mailboxHash');
    expect(traceEmail('ana+x@mail.example', 'salt').mailboxHash).toBe(traceEmail('ana@mail.example', 'salt').hash);
  });

  it('is at the domain that the masked address shows', () => {
    expect(mailDomainOf(traceEmail('ana@x@mail.example', 'salt'))).toBe('mail.example');
  });
});

it('a person’s name that is an e-mail address is shown without the domain', () => {
  expect(['Kim', 'kim@home.test', 'a @ b'].map(withoutDomain)).toEqual(['Kim', 'kim', 'a @ b']);
});

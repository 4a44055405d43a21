import { describe, expect, it } from 'vitest';
import { isDisposableDomain, isSameOwnDomain, sourceDomainOf } from '#lib/service/ground/addresses/mail-domains.ts';

describe('the list of domains of disposable e-mail addresses', () => {
  it.each(['mailinator.com', 'inbox.mailinator.com'])('contains %s', (domain) => {
    expect(isDisposableDomain(domain)).toBe(true);
  });

  it.each(['acme-mailinator.com', 'mailinator.com.acme.test', 'gmail.com', 'duck.com', 'com', ''])(
    'does not contain %s',
    (domain) => {
      expect(isDisposableDomain(domain)).toBe(false);
    },
  );
});

describe('the domain by which applications of partners are counted', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['mail.acme.co.uk', 'acme.co.uk'],
    ['inbox.mailinator.com', 'mailinator.com'],
    ['com', 'com'],
    ['gmail.com', undefined],
    ['duck.com', undefined],
  ])('is, for an e-mail address at %s, %s', (domain, counted) => {
    expect(sourceDomainOf(domain)).toBe(counted);
  });
});

describe('two e-mail addresses at one domain belong to one company, unless the domain is that of a public mail provider:', () => {
  it.each([
    ['acme.com', 'acme.com', true],
    ['acme.com', 'mail.acme.com', true],
    ['shop.acme.co.uk', 'acme.co.uk', true],
    ['acme.co.uk', 'other.co.uk', false],
    ['acme.com', 'acme.org', false],
    ['ana.github.io', 'bob.github.io', false],
    ['ana.github.io', 'ana.github.io', true],
    ['partners.test', 'partners.test', true],
    ['gmail.com', 'gmail.com', false],
    ['gmail.com', 'googlemail.com', false],
    ['googlemail.com', 'googlemail.com', false],
    ['fastmail.com', 'fastmail.com', false],
    ['mail.yahoo.co.uk', 'yahoo.co.uk', false],
    ['mailinator.com', 'mailinator.com', false],
    ['co.uk', 'co.uk', false],
    ['[127.0.0.1]', '[127.0.0.1]', false],
    ['', '', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(isSameOwnDomain(one, other)).toBe(expected);
    expect(isSameOwnDomain(other, one)).toBe(expected);
  });
});

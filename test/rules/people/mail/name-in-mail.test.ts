import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameInMail } from '#lib/service/people/mail/name-in-mail.ts';

describe('a name in the subject or greeting of a mail', () => {
  it.each([
    ['Acme', 'Acme'],
    ['  Acme \t Söhne\n& Co.  ', 'Acme Söhne & Co.'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['AC/DC 2.0 and/or 3.50', 'AC/DC 2.0 and/or 3.50'],
    ['Dr. Who: the shop', 'Dr. Who: the shop'],
    ['日本語。', '日本語。'],
    ['👩‍💻 Ana', '👩💻 Ana'],
    // Addresses of sites.
    ['http://evil.test', 'evil test'],
    ['HTTPS://Evil.Test/win?a=b', 'Evil Test/win?a=b'],
    ['Win at www.evil.test now', 'Win at evil test now'],
    ['WWW2.evil.test', 'evil test'],
    ['Booking.com', 'Booking com'],
    ['a.b.evil.test', 'a.b evil test'],
    ['пример.рф', 'пример рф'],
    ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd xn--p1ai'],
    ['http://1.2.3.4/x', '1 2 3 4/x'],
    ['ftp:\\\\evil.test', 'evil test'],
    ['hhttp://ttp://evil.test', 'evil test'],
    ['see http：／／evil．test', 'see evil test'],
    // E-mail addresses.
    ['eve@evil.test', 'eve evil test'],
    ['eve＠evil.test', 'eve evil test'],
    // Characters that look like dots or count as dots in a host name.
    ['evil․test evil。test evil｡test evil．test evil﹒test', 'evil test evil test evil test evil test evil test'],
    ['evil..test', 'evil test'],
    // Invisible characters.
    ['evil\u200b.\u200dtest', 'evil test'],
    ['evil.\u00adtest \ufeffevil\u2060.test', 'evil test evil test'],
    ['ht\u200btp://evil.test', 'evil test'],
    ['\u202etset.live', 'tset live'],
    ['Ana\u0000\u0007\u009b\r\nBcc: x', 'Ana Bcc: x'],
    ['evil.t\u0301est', 'evil t\u0301est'],
    ['\ud800Ana', '\ufffdAna'],
    // Names that become empty.
    ['', ''],
    ['https://', ''],
    ['\u200b', ''],
  ])('%j becomes %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  it.each([
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(59)}…`],
    [`${'x'.repeat(58)} yyy`, `${'x'.repeat(58)}…`],
    [`${'x'.repeat(58)}👍👍`, `${'x'.repeat(58)}…`],
  ])('%j has at most 60 characters', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  const parts = fc.constantFrom(
    'http',
    'https',
    '://',
    ':',
    '/',
    '\\',
    'www',
    '.',
    '․',
    '。',
    '@',
    'evil',
    't',
    '1',
    '\u200b',
    '\u202e',
    ' ',
    'ß',
    'к',
  );
  it('contains nothing that becomes a link, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(parts, { maxLength: 20 }).map((all) => all.join('')),
        ),
        (name) => {
          const shown = nameInMail(name);
          expect(shown.length).toBeLessThanOrEqual(60);
          expect(shown).not.toMatch(/[.․。｡．﹒]\p{L}{2}|:\/\/|(?<![\p{L}\p{N}])www\.|@|[\p{Cc}\p{Cf}]/u);
          expect(nameInMail(shown)).toBe(shown);
        },
      ),
    );
  });
});

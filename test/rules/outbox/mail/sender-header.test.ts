import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { senderHeader } from '#lib/service/outbox/mail/sender-header.ts';

const address = 'mail@track.test';
const headerOf = (name: string, productName = 'Referrals') => senderHeader(name, productName, address);

/** Reads a header as a mail program does. */
function readName(header: string): string {
  const phrase = header.slice(0, -` <${address}>`.length);
  if (phrase.startsWith('"')) return phrase.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  return phrase
    .split(' ')
    .map((word) => Buffer.from(/^=\?UTF-8\?B\?([\w+/]+=*)\?=$/.exec(word)![1]!, 'base64').toString())
    .join('');
}

describe('the header From of a mail, with the names of the program and the installation,', () => {
  it.each([
    ['Acme', '"Acme via Referrals" <mail@track.test>'],
    ['Acme, Inc.', '"Acme, Inc. via Referrals" <mail@track.test>'],
    ['A "b" \\c', String.raw`"A \"b\" \\c via Referrals" <mail@track.test>`],
    ['Söhne', '=?UTF-8?B?U8O2aG5lIHZpYSBSZWZlcnJhbHM=?= <mail@track.test>'],
    ['=?UTF-8?B?ZXZl?=', '=?UTF-8?B?PT9VVEYtOD9CP1pYWmw/PSB2aWEgUmVmZXJyYWxz?= <mail@track.test>'],
  ])('contains the program name %s, quoted or encoded as mail headers require', (name, header) => {
    expect(headerOf(name)).toBe(header);
  });

  it('is ASCII for any program name, which can be decoded from it, in encoded words of at most 75 characters', () => {
    const name = string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    assert(
      property(name, (sent) => {
        const header = headerOf(sent);
        expect(header).toMatch(/^[ -~]+ <mail@track\.test>$/);
        expect(header.length).toBeLessThanOrEqual(320);
        const isEncoded = !header.startsWith('"');
        expect(!isEncoded || header.split(' ').every((word) => word.length <= 75)).toBe(true);
        const read = readName(header);
        expect(read === `${sent} via Referrals` || read.endsWith('… via Referrals')).toBe(true);
      }),
    );
  });

  it('contains only the first characters of a long program name, and cuts none of them in two', () => {
    const family = '👨‍👩‍👧‍👦';
    const header = headerOf(family.repeat(12), 'Ü'.repeat(40));
    expect(header.length).toBeLessThanOrEqual(320);
    expect(readName(header)).toMatch(new RegExp(`^(${family}){1,11}… via Ü{40}$`, 'u'));
  });

  it('contains only the name of the installation if there is no room for the program’s name', () => {
    const long = `${'x'.repeat(64)}@${'y'.repeat(240)}.test`;
    expect(senderHeader('Söhne', 'Referrals', long)).toBe(`"Referrals" <${long}>`);
  });
});

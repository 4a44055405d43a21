import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAddress } from '#lib/service/traffic/clicks/landing-address.ts';
import { anyText, anyWebUrl } from '#test/support/cases/any-text.ts';

const clickIds =
  'gclid=1&gbraid=2&wbraid=3&dclid=4&fbclid=5&msclkid=6&ttclid=7&twclid=8&li_fat_id=9&epik=a&rdt_cid=b&ScCid=c&irclickid=d&yclid=e';

describe('the stored address of a landing page is unchanged if it has no private part:', () => {
  it.each([
    'https://acme.test',
    'https://acme.test/?aff=ana',
    'https://acme.test/a/b.html?aff=a%20b&aff=c+d',
    'https://acme.test/?utm_source=x&utm_medium=y&UTM_Campaign=z',
    `https://acme.test/?${clickIds}`,
    'HTTPS://Acme.test:443/Ü',
    '/pricing',
    'android-app://com.example.app/',
    '',
  ])('%s', (address) => {
    expect(cutAddress(address)).toBe(address);
  });
});

describe('the stored address of a landing page has no user name, password, fragment or unknown query parameter:', () => {
  it.each([
    ['https://acme.test/#token=secret', 'https://acme.test/'],
    ['https://acme.test/?aff=ana#', 'https://acme.test/?aff=ana'],
    ['https://jane:secret@acme.test/?aff=ana', 'https://acme.test/?aff=ana'],
    ['https:\\\\jane:secret@acme.test', 'https://acme.test/'],
    ['ht\ntps:jane:secret@acme.test/', 'https://acme.test/'],
    ['https://acme.test/?email=jane@x.test&aff=ana&reset=secret', 'https://acme.test/?aff=ana'],
    ['https://acme.test/?', 'https://acme.test/'],
    ['https://acme.test/?affx=1&xaff=2&utmsource=3&=4&&%61ff=ana', 'https://acme.test/?%61ff=ana'],
    ['https://acme.test/?q=1?aff=ana', 'https://acme.test/'],
    ['/reset?token=secret', '/reset'],
    ['/reset#token=secret', '/reset'],
    ['mailto:info@acme.test?body=secret', 'mailto:info@acme.test'],
  ])('%s → %s', (address, cut) => {
    expect(cutAddress(address)).toBe(cut);
  });

  it('but keeps the query parameters that the program lists', () => {
    expect(cutAddress('https://acme.test/?plan=pro&seat=2&token=x', ['plan', 'seat'])).toBe(
      'https://acme.test/?plan=pro&seat=2',
    );
  });
});

it('any web URL keeps its origin and path when its private parts are removed, and a second removal changes nothing', () => {
  const address = anyWebUrl;
  fc.assert(
    fc.property(fc.oneof(address, anyText()), (text) => {
      const cut = cutAddress(text);
      expect(cutAddress(cut)).toBe(cut);
      fc.pre(/^https?:/.test(text) && URL.canParse(text));
      const [before, after] = [new URL(text), new URL(cut)];
      expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, '']);
    }),
  );
});

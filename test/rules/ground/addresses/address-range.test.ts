import { describe, expect, it } from 'vitest';
import { addressRangeOf, isPlainAddress } from '#lib/service/ground/addresses/address-range.ts';

describe('addressRangeOf, which reads an IP address or a network range,', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7\n', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.255/25', '203.0.113.128/25'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:7:7:ffff::1/64', '2001:db8:7:7::/64'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::1/128', '::1/128'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.7/96', '0.0.0.0/0'],
  ])('reads %j as %s', (text, range) => {
    expect(addressRangeOf(text)).toBe(range);
  });

  it('reads its own result as the same range', () => {
    for (const text of ['203.0.113.7/24', '2001:db8::1', '::ffff:203.0.113.7/120']) {
      const range = addressRangeOf(text)!;
      expect(addressRangeOf(range)).toBe(range);
    }
  });

  it.each([
    '',
    ' ',
    '/24',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.07',
    '0xcb.0.113.7',
    '3405803783',
    '1.2.3.4.5',
    '203.0.113.7:80',
    '[::1]',
    '[::1]:80',
    'fe80::1%eth0',
    '2001:db8',
    '2001:db8:::1',
    ':::',
    'https://203.0.113.7',
    '203.0.113.7/',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/08',
    '203.0.113.7/1e1',
    '203.0.113.7/24/24',
    '203.0.113.7 /24',
    '203.0.113.7/255.255.255.0',
    '2001:db8::/129',
    '::ffff:203.0.113.7/95',
    '203.0.113.*',
    '203.0.113.1-203.0.113.7',
  ])('refuses %j', (text) => {
    expect(addressRangeOf(text)).toBeUndefined();
  });
});

describe('the check for a plain IP address', () => {
  it.each(['203.0.113.7', '0.0.0.0', '2001:DB8::1', '::', '::ffff:203.0.113.7'])('accepts %j', (text) => {
    expect(isPlainAddress(text)).toBe(true);
  });

  it.each([
    '',
    ' 203.0.113.7',
    '203.0.113.7/32',
    '203.0.113',
    '203.0.113.07',
    '0313.0.0161.7',
    '0xcb.0.113.7',
    '3405803783',
    'fe80::1%eth0',
    '[2001:db8::1]',
    '203.0.113.7:443',
    'localhost',
  ])('refuses %j', (text) => {
    expect(isPlainAddress(text)).toBe(false);
  });
});

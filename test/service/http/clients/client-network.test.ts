import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientNetwork, isInRanges } from '#lib/service/http/clients/client-network.ts';
import { anyText } from '#test/support/cases/any-text.ts';

describe('clientNetwork, which gives the network for which a rate limit is counted,', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:443', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8::1:443', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:2:3:4:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['2001:db8:a:b:c:d:e:f', '2001:db8:a:b::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[fe80::1%25eth0]:443', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::ffff:0:c000:201', '0:0:0:0::/64'],
    ['', ''],
    ['nobody', 'nobody'],
    ['1:2:3', '1:2:3'],
    ['[', '['],
  ])('gives for %s the network: %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

const written = (numbers: readonly number[]) => numbers.map((number) => number.toString(16)).join(':');

it('clientNetwork is the same for two IPv6 addresses exactly if their first 64 bits are equal', () => {
  const group = fc.integer({ min: 1, max: 0xffff });
  const groups = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(groups, groups, groups, groups, (network, host, otherNetwork, otherHost) => {
      const counted = clientNetwork(`${written(network)}:${written(host)}`);
      expect(clientNetwork(`${written(network).toUpperCase()}:${written(otherHost)}`)).toBe(counted);
      fc.pre(written(network) !== written(otherNetwork));
      expect(clientNetwork(`${written(otherNetwork)}:${written(host)}`)).not.toBe(counted);
    }),
  );
});

it('clientNetwork returns a string for any text, so no sender escapes the rate limit', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.[\]%]*$/)), (text) => {
      expect(typeof clientNetwork(text)).toBe('string');
    }),
  );
});

describe('isInRanges, which looks for an IP address in a list of network ranges,', () => {
  const office = ['203.0.113.0/24', '198.51.100.7', '2001:db8:7::/48', '2001:db8:8::1'];
  it.each([
    '203.0.113.7',
    '203.0.113.255',
    '198.51.100.7',
    '::ffff:203.0.113.7',
    '203.0.113.7:443',
    '2001:db8:7:ffff::1',
    '[2001:db8:7::1]:443',
    '2001:db8:8::1%eth0',
  ])('finds %s in the list', (address) => {
    expect(isInRanges(address, office)).toBe(true);
    expect(isInRanges(address, [])).toBe(false);
  });

  it.each(['203.0.114.0', '198.51.100.8', '2001:db8:8::2', 'unknown', ''])(
    'does not find %s in the list',
    (address) => {
      expect(isInRanges(address, office)).toBe(false);
      expect(isInRanges(address, [])).toBe(false);
    },
  );

  it('does not find IPv4 addresses in the range of all IPv6 addresses', () => {
    expect([isInRanges('203.0.113.7', ['::/0']), isInRanges('2001:db8::1', ['0.0.0.0/0'])]).toEqual([false, false]);
    expect([isInRanges('203.0.113.7', ['0.0.0.0/0']), isInRanges('2001:db8::1', ['::/0'])]).toEqual([true, true]);
  });
});

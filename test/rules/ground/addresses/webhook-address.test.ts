import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, webhookAddressOf } from '#lib/service/ground/addresses/webhook-address.ts';
import { anyText, anyWebUrl } from '#test/support/cases/any-text.ts';

const deployed = { allowsLoopback: false, own: ['https://refer.acme.com', 'https://d1.cloudfront.net/app'] };
const local = { allowsLoopback: true, own: ['http://127.0.0.1:3000'] };

describe('a deployed service sends webhooks to', () => {
  it.each([
    ['https://hooks.brand.com/referrals', 'https://hooks.brand.com/referrals'],
    ['https://brand.com', 'https://brand.com/'],
    ['  https://brand.com/  ', 'https://brand.com/'],
    ['HTTPS://Brand.COM:443/Path?a=b#part', 'https://brand.com/Path?a=b'],
    ['https://brand.com:1024/', 'https://brand.com:1024/'],
    ['https://brand.com:65535/', 'https://brand.com:65535/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://hooks_1.brand.com/', 'https://hooks_1.brand.com/'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
    ['https://0x5db8d822/', 'https://93.184.216.34/'],
    ['https://[2606:2800:220:1::1]/', 'https://[2606:2800:220:1::1]/'],
    ['https://local.brand.com/', 'https://local.brand.com/'],
    ['https://api.refer.acme.com/', 'https://api.refer.acme.com/'],
  ])('the URL %s', (text, address) => {
    expect(webhookAddressOf(text, deployed)).toBe(address);
  });
});

describe('a deployed service does not send webhooks to', () => {
  it.each([
    // Not a web URL, or not over TLS.
    '',
    'brand.com/hooks',
    '/hooks',
    'http://brand.com/',
    'ftp://brand.com/',
    'file:///etc/passwd',
    'https://',
    'https:///?',
    'javascript:alert(1)',
    `https://brand.com/${'a'.repeat(2_048)}`,
    `https://brand.com/${'ü'.repeat(1_000)}`,
    // URLs with credentials.
    'https://user@brand.com/',
    'https://user:password@brand.com/',
    'https://:password@brand.com/',
    // Ports of other services.
    'https://brand.com:0/',
    'https://brand.com:22/',
    'https://brand.com:80/',
    'https://brand.com:1023/',
    'https://brand.com:65536/',
    // Names of this machine or network.
    'https://localhost/',
    'https://localhost./',
    'https://hooks.localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://router.home.arpa/',
    'https://brand.com./',
    'https://brand..com/',
    'https://-brand.com/',
    `https://${'a.'.repeat(130)}com/`,
    // This service itself.
    'https://refer.acme.com/hooks',
    'https://REFER.acme.com:8443/',
    'https://d1.cloudfront.net/',
    // Loopback in every spelling.
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.255.255.254/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://127%2e0%2e0%2e1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    // Metadata services of clouds.
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:a9fe:a9fe]/',
  ])('the URL %s', (text) => {
    expect(webhookAddressOf(text, deployed)).toBeUndefined();
  });
});

describe('a local run of the service', () => {
  it.each([
    ['http://127.0.0.1:4000/hooks', 'http://127.0.0.1:4000/hooks'],
    ['https://127.0.0.1:4000/hooks', 'https://127.0.0.1:4000/hooks'],
    ['http://localhost:80/hooks', 'http://localhost/hooks'],
    ['http://localhost:22/hooks', 'http://localhost:22/hooks'],
    ['https://localhost/hooks', 'https://localhost/hooks'],
    ['https://brand.com/', 'https://brand.com/'],
  ])('sends webhooks to %s', (text, address) => {
    expect(webhookAddressOf(text, local)).toBe(address);
  });

  it.each([
    'http://127.0.0.1:3000/hooks',
    'http://localhost:3000/hooks',
    'https://localhost:3000/hooks',
    'http://user@localhost:4000/',
    'ftp://localhost/',
    'http://127.0.0.2:4000/',
    'http://hooks.localhost:4000/',
    'http://localhost.:4000/',
    'http://[::1]:4000/',
    'http://0.0.0.0:4000/',
    'http://brand.com/',
    'https://brand.com:80/',
    'http://192.168.0.1/',
  ])('does not send webhooks to %s', (text) => {
    expect(webhookAddressOf(text, local)).toBeUndefined();
  });
});

describe('the check for public addresses, with a public address,', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
    '2606:2800:220:1::1',
    '2a00:1450:4001::1',
    '2600:0:0:0:1:5efe:1:1',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the checks for public addresses and for webhook URLs', () => {
  it.each([
    // No address, or a notation that name servers never return.
    '',
    'brand.com',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '8.8.8.8/32',
    '[2606:2800:220:1::1]',
    // IPv4: this network, private, carrier-grade, loopback, link-local, special, documentation, benchmark, multicast.
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    // IPv6 ranges without public addresses.
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '100::1',
    '5f00::1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '4000::1',
    // IPv6 addresses that contain an IPv4 address: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP.
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:8.8.8.8',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '2001:0:7f00:1::1',
    '2600::5efe:127.0.0.1',
    '2600::200:5efe:a00:1',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('throw no exception for any text, and do not change an accepted webhook URL when it is read again', () => {
    fc.assert(
      fc.property(fc.oneof(anyWebUrl, anyText(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        const address = webhookAddressOf(text, deployed);
        expect(address === undefined || webhookAddressOf(address, deployed) === address).toBe(true);
        expect(typeof isPublicAddress(text)).toBe('boolean');
      }),
    );
  });

  it('refuse a private IPv4 address in a webhook URL in every notation', () => {
    const privateAddress = fc.oneof(
      fc.integer({ min: 0x0a000000, max: 0x0affffff }),
      fc.integer({ min: 0x7f000000, max: 0x7fffffff }),
      fc.integer({ min: 0xa9fe0000, max: 0xa9feffff }),
      fc.integer({ min: 0xc0a80000, max: 0xc0a8ffff }),
    );
    fc.assert(
      fc.property(privateAddress, (number) => {
        const [first, ...rest] = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
        const hex = number.toString(16).padStart(8, '0');
        const spellings = [
          String(number),
          `0x${hex}`,
          `0${number.toString(8)}`,
          [first, ...rest].join('.'),
          [first, ...rest].map((byte) => `0x${byte!.toString(16)}`).join('.'),
          [first, ...rest].map((byte) => `0${byte!.toString(8)}`).join('.'),
          `${first}.${number & 0xffffff}`,
          `[::ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`,
          `[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
          `[2002:${hex.slice(0, 4)}:${hex.slice(4)}::]`,
        ];
        const taken = spellings.filter((host) => webhookAddressOf(`https://${host}/`, deployed) !== undefined);
        expect(taken).toEqual([]);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { createCookies } from '#lib/apps/tracker/cookies.ts';
import { fakePage, type Jar } from '#test/apps/tracker/fake-page.ts';

const jarWith = (name: string, value: string): Jar =>
  new Map([[name, { value, domain: 'host', maxAgeSeconds: 60, sameSite: 'Lax', isSecure: false }]]);

describe('a cookie of the tracker', () => {
  it.each([
    ['https://www.brand.test/', 'brand.test'],
    ['https://brand.test/', 'brand.test'],
    ['https://a.b.c.brand.test/', 'brand.test'],
    ['https://shop.example.co.uk/', 'example.co.uk'],
    ['https://someone.github.io/', 'someone.github.io'],
    ['http://app.localhost/', 'app.localhost'],
    ['http://localhost:3000/', 'host'],
    ['http://127.0.0.1:3000/', 'host'],
    ['http://[::1]:3000/', 'host'],
  ])('that is stored at %s is valid for %s, and the test cookie that finds the domain is deleted', (url, domain) => {
    const page = fakePage({ url });
    createCookies(page, {}).write('aff_last', 'ana', 60);
    expect([...page.jar]).toEqual([
      [
        'service_aff_last',
        { value: 'ana', domain, maxAgeSeconds: 5_184_000, sameSite: 'Lax', isSecure: url.startsWith('https') },
      ],
    ]);
  });

  it('is stored for the domain in the options, even if that is set later', () => {
    const page = fakePage({ url: 'https://a.b.brand.test/' });
    const settings: { cookieDomain?: string } = {};
    const { write } = createCookies(page, settings);
    settings.cookieDomain = 'b.brand.test';
    write('aff_last', 'ana', 1);
    expect(page.jar.get('service_aff_last')?.domain).toBe('b.brand.test');
  });

  it('can contain any text', () => {
    const page = fakePage({ url: 'https://brand.test/' });
    const { read, write } = createCookies(page, {});
    write('aff_url', 'https://brand.test/?a=b;c&d=ä%', 1);
    expect(page.jar.get('service_aff_url')?.value).toBe('https%3A%2F%2Fbrand.test%2F%3Fa%3Db%3Bc%26d%3D%C3%A4%25');
    expect(read('aff_url')).toBe('https://brand.test/?a=b;c&d=ä%');
  });

  it('is deleted if it is stored for 0 days', () => {
    const page = fakePage({ url: 'https://brand.test/' });
    const { read, write } = createCookies(page, {});
    write('aff_url', 'https://brand.test/', 1);
    write('aff_url', '', 0);
    expect(read('aff_url')).toBeNull();
    expect(page.jar).toEqual(new Map());
  });

  it('is not confused with a cookie whose longer name ends the same way', () => {
    const page = fakePage({ url: 'https://brand.test/', jar: jarWith('old_service_click_id', 'clk_old') });
    expect(createCookies(page, {}).read('click_id')).toBeNull();
  });

  it('is treated as absent if its value cannot be decoded', () => {
    const page = fakePage({ url: 'https://brand.test/', jar: jarWith('service_click_id', '%E0%A4%A') });
    expect(createCookies(page, {}).read('click_id')).toBeNull();
  });
});

it.each(['off', 'blocked'] as const)(
  'if cookies are %s, the tracker remembers its values until the visitor leaves the page',
  (cookies) => {
    const page = fakePage({ url: 'https://www.brand.test/', cookies });
    const { read, write } = createCookies(page, {});
    expect(read('click_id')).toBeNull();
    write('click_id', 'clk_1', 60);
    expect(read('click_id')).toBe('clk_1');
    expect(page.jar).toEqual(new Map());
  },
);

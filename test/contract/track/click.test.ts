import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { changeLink } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestRequest } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let retiredKey: string;
const url = (aff: string) => `https://brand.test/?aff=${aff}`;

beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  const retired = await world.brand();
  retiredKey = retired.key;
  await markKeyForRotation(world.deps(), retired.program.id, NOW);

  const link = {
    partnerId: brand.partner.id,
    programId: brand.program.id,
    status: 'active',
    createdAt: '',
    destinationUrl: '',
  };
  const links = {
    afftest7: link,
    noPartner: { ...link, partnerId: undefined },
    noProgram: { ...link, programId: undefined },
    noPartnerInactive: { ...link, partnerId: undefined, status: 'inactive' },
    lostProgram: { ...link, programId: 999_999 },
    inactive: { ...link, status: 'inactive' },
    removed: { ...link, partnerRemoved: true },
  };
  for (const [shortLink, item] of Object.entries(links)) {
    await world.deps().table.put(keys.link(shortLink), { ...item, shortLink });
  }
});

/** Status, message, cause, and a request that causes it. */
type Row = readonly [number, string, string, () => TestRequest];

const withUrl = (affiliate_url: unknown) => ({ body: { affiliate_url } });

/** The messages of 400 and 422, in the order of the checks. */
const rows: readonly Row[] = [
  [400, 'Invalid JSON body', 'a body that is not JSON', () => ({ body: '{' })],
  [400, 'Invalid JSON body', 'a body that is a list', () => ({ body: '[]' })],
  [400, 'Invalid JSON body', 'the body null', () => ({ body: 'null' })],
  [400, 'Request body too large', 'a body of more than 256 KiB', () => ({ body: `"${'x'.repeat(256 * 1024)}"` })],
  [400, 'affiliate_url is required', 'an empty body', () => ({})],
  [400, 'affiliate_url is required', 'no affiliate_url', () => ({ body: {} })],
  [400, 'affiliate_url is required', 'the affiliate_url null', () => withUrl(null)],
  [400, 'affiliate_url is required', 'an empty affiliate_url', () => withUrl('')],
  [400, 'affiliate_url is required', 'a blank affiliate_url', () => withUrl(' \n')],
  [400, 'Invalid affiliate_url', 'a text that is not a URL', () => withUrl('ana')],
  [400, 'Invalid affiliate_url', 'a relative URL', () => withUrl('/?aff=ana')],
  [400, 'Invalid affiliate_url', 'a URL without a scheme', () => withUrl('//brand.test/?aff=ana')],
  [400, 'Invalid affiliate_url', 'an ftp URL', () => withUrl('ftp://brand.test/?aff=ana')],
  [400, 'Invalid affiliate_url', 'a javascript URL', () => withUrl('javascript:alert(1)//?aff=ana')],
  [400, 'Invalid affiliate_url', 'a number', () => withUrl(7)],
  [400, 'No aff parameter found in affiliate_url', 'a URL without a query', () => withUrl('https://brand.test/')],
  [400, 'No aff parameter found in affiliate_url', 'an empty aff parameter', () => withUrl('https://brand.test/?aff=')],
  [
    400,
    'No aff parameter found in affiliate_url',
    'a parameter AFF in upper case',
    () => withUrl('https://brand.test/?AFF=ana'),
  ],
  [
    400,
    'No aff parameter found in affiliate_url',
    'an aff parameter in the fragment',
    () => withUrl('https://brand.test/#aff=ana'),
  ],
  [
    400,
    'No aff parameter found in affiliate_url',
    'an empty first aff parameter',
    () => withUrl(`https://brand.test/?aff=&aff=${brand.shortLink}`),
  ],
  [400, 'Referral link not found', 'an unknown link name', () => withUrl(url('nobody'))],
  [400, 'Referral link not found', 'a link name in another case', () => withUrl(url(brand.shortLink.toUpperCase()))],
  [400, 'Referral link not found', 'an impossible link name', () => withUrl(url('a%00b'))],
  [400, 'Referral link not found', 'a link name of 10,000 characters', () => withUrl(url('a'.repeat(10_000)))],
  [400, 'Referral link not found', 'the link of verification runs', () => withUrl(url('afftest7'))],
  [400, 'Invalid referral link configuration', 'a link without a partner', () => withUrl(url('noPartner'))],
  [400, 'Invalid referral link configuration', 'a link without a program', () => withUrl(url('noProgram'))],
  [
    400,
    'Invalid referral link configuration',
    'an inactive link without a partner',
    () => withUrl(url('noPartnerInactive')),
  ],
  [500, 'Click tracking failed', 'a link of a missing program', () => withUrl(url('lostProgram'))],
];

describe('a refused click whose error has no code', () => {
  it.each(rows)('is answered %i “%s” for %s', async (status, message, _, request) => {
    expect(await send(click, request())).toEqual({
      status,
      headers: { ...countedHeaders(60), Vary: 'Origin' },
      body: platformError(status, message),
    });
  });
});

describe('a refused click whose error has a code', () => {
  it.each(['inactive', 'removed'])('is answered 410 link_disabled if the link is %s', async (aff) => {
    const message = 'Referral link is inactive';
    expect(await send(click, withUrl(url(aff)))).toEqual({
      status: 410,
      headers: { ...countedHeaders(60), Vary: 'Origin' },
      body: {
        success: false,
        message,
        error: { code: 'link_disabled', message, hint: 'Ask the program owner to reactivate this link.' },
      },
    });
  });

  it('is answered 429 rate_limited above the limit', async () => {
    const ip = '192.0.2.1';
    for (let n = 0; n < 60; n++) expect((await send(click, { ip, ...withUrl(brand.affiliateUrl) })).status).toBe(200);
    expect(await send(click, { ip, at: new Date(NOW.getTime() + 20_000), body: '{' })).toEqual({
      status: 429,
      headers: { ...countedHeaders(60, 61), 'Retry-After': '40', Vary: 'Origin' },
      body: rateLimitedError(40),
    });
  });
});

describe('the endpoint for clicks', () => {
  it('refuses a retired program key before it reads the body', async () => {
    const { status, body } = await send(click, { key: retiredKey, body: '{' });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'api_key_rotation_required' });
  });

  it('refuses a retired program key in test mode, too, before it reads the body', async () => {
    const { status } = await send(click, { key: retiredKey, body: { additional_data: { test_mode: true } } });
    expect(status).toBe(401);
  });

  it('checks, for a test click, the program id before the URL', async () => {
    const body = { affiliate_url: 7, additional_data: { test_mode: true, program_id: 999_999 } };
    expect((await send(click, { key: brand.key, body })).status).toBe(403);
  });

  it('checks that the link has a partner and program before it checks that the link is active', async () => {
    await changeLink(world, { shortLink: 'removed' }, { programId: undefined });
    const { body } = await send(click, withUrl(url('removed')));
    expect(body.error.message).toBe('Invalid referral link configuration');
  });
});

import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const bare = { 'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/), Vary: 'Origin' };

describe('a CORS preflight request for a click or a lead is answered 204', () => {
  it('and allows browsers on an origin of a program to send clicks and leads', async () => {
    const origin = `https://shop.${brand.program.domain}`;
    expect(await send(preflight, { method: 'OPTIONS', headers: { origin } })).toEqual({
      status: 204,
      headers: {
        ...bare,
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Content-Type, Authorization',
        'Access-Control-Max-Age': '600',
      },
      body: undefined,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['an unknown origin', { origin: 'https://unknown.test' }],
    ['no origin', {}],
  ])('and has no CORS headers for %s', async (_, headers) => {
    expect(await send(preflight, { method: 'OPTIONS', headers })).toEqual({
      status: 204,
      headers: bare,
      body: undefined,
    });
  });

  it('and is not rate-limited', async () => {
    const ip = '192.0.2.1';
    for (let n = 0; n < 61; n++) expect((await send(preflight, { method: 'OPTIONS', ip })).status).toBe(204);
    const { headers } = await send(click, { ip, body: { affiliate_url: brand.affiliateUrl } });
    expect(headers['X-RateLimit-Remaining']).toBe('59');
  });
});

const ask = async (origin: string, at = NOW) =>
  (await send(preflight, { method: 'OPTIONS', headers: { origin }, at })).headers['Access-Control-Allow-Origin'];
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('the cache that holds which origins at least one program allows', () => {
  it('is filled in one call that reads at most six items per origin', async () => {
    const calls = await sentCalls(() => ask(`https://${'a.'.repeat(100)}test`));
    expect(calls.map(({ name, readUnits }) => [name, readUnits])).toEqual([['BatchGetCommand', 6]]);
  });

  it('holds an origin for a minute, whether a program allows that origin or not', async () => {
    const origin = 'https://late.test';
    expect(await ask(origin)).toBeUndefined();
    await world.brand({ allowedOrigins: [origin] });
    const calls = await sentCalls(async () => {
      expect(await ask(origin, later(59_999))).toBeUndefined();
    });
    expect(calls).toEqual([]);
    expect(await ask(origin, later(60_000))).toBe(origin);
    expect(await sentCalls(() => ask(origin, later(60_001)))).toEqual([]);
  });

  it('is not used if the clock was set back', async () => {
    const origin = 'https://turned.test';
    await ask(origin, later(3_600_000));
    expect(await sentCalls(() => ask(origin))).toHaveLength(1);
  });

  it('is also used for replies to requests that name no program', async () => {
    const headers = { origin: 'https://asked.test' };
    await ask(headers.origin);
    const calls = await sentCalls(() => send(click, { headers, body: {} }));
    expect(calls.map(({ name }) => name)).toEqual(['UpdateCommand']);
  });

  it('holds a thousand origins and then drops the oldest', async () => {
    for (let n = 0; n <= 1_000; n += 1) await ask(`https://flood-${n}.test`);
    expect(await sentCalls(() => ask('https://flood-1.test'))).toEqual([]);
    expect(await sentCalls(() => ask('https://flood-0.test'))).toHaveLength(1);
  });

  it('does not hold an origin whose read failed', async () => {
    const origin = `https://own.${brand.program.domain}`;
    const table = mockClient(DynamoDBDocumentClient).rejects(new Error('The table is down'));
    expect(await ask(origin)).toBeUndefined();
    table.restore();
    expect(await ask(origin)).toBe(origin);
  });
});

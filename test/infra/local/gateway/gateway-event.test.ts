import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayEvent } from '#infra/local/gateway/gateway-event.ts';
import { readBody } from '#infra/local/gateway/request-body.ts';

const timeEpoch = Date.parse('2026-11-20T15:00:00.123Z');

/** A server that answers each request with the event that its function would get. */
const echo = createServer((request, response) => {
  void readBody(request).then((body = Buffer.alloc(0)) => {
    const event = gatewayEvent(request, { body, timeEpoch, routeKey: 'POST /a', pathParameters: { id: '7' } });
    response.end(JSON.stringify(event));
  });
});

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
});

afterAll(() => void echo.close());

async function eventOf(options: RequestOptions, body: string | Buffer = ''): Promise<APIGatewayProxyEventV2> {
  const { port } = echo.address() as AddressInfo;
  const request = httpRequest({ host: '127.0.0.1', port, ...options }).end(body);
  const [response] = await once(request, 'response');
  return (await json(response)) as APIGatewayProxyEventV2;
}

describe('the headers in the event for a function', () => {
  it('have lower-case names, with repeated values joined by a comma', async () => {
    const { headers } = await eventOf({ headers: { 'X-Mixed-Case': 'One', 'x-many': ['a', 'b'] } });
    expect(headers).toMatchObject({ 'x-mixed-case': 'One', 'x-many': 'a,b' });
  });

  it('do not contain the cookies, which have a separate list', async () => {
    const event = await eventOf({ headers: { Cookie: 'one=1; two=2' } });
    expect(event.cookies).toEqual(['one=1', 'two=2']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('have no list of cookies if the request has none', async () => {
    expect(await eventOf({})).not.toHaveProperty('cookies');
  });
});

describe('the URL in the event for a function', () => {
  it('has the path decoded once, and the query string unchanged', async () => {
    const event = await eventOf({ path: '/a%20b%2Fc%253F%3Fd/e?x=%20y&z=1?2' });
    const path = '/a b/c%3F';
    expect(event).toMatchObject({ rawPath: path, rawQueryString: 'x=%20y&z=1?2', requestContext: { http: { path } } });
  });

  it('also has the query parameters decoded, with repeated values joined by a comma', async () => {
    const { queryStringParameters } = await eventOf({ path: '/a?x=%20y&many=1&many=2&empty=' });
    expect(queryStringParameters).toEqual({ x: ' y', many: '1,2', empty: '' });
  });

  it('has no query parameters if there is no query string', async () => {
    const event = await eventOf({ path: '/a' });
    expect(event.rawQueryString).toBe('');
    expect(event).not.toHaveProperty('queryStringParameters');
  });

  it('has the route and its path parameters', async () => {
    expect(await eventOf({})).toMatchObject({ version: '2.0', routeKey: 'POST /a', pathParameters: { id: '7' } });
  });
});

const post = (type: string | undefined, body: string | Buffer) =>
  eventOf({ method: 'POST', headers: type ? { 'Content-Type': type } : {} }, body);

describe('the body in the event for a function', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'APPLICATION/XML',
    'application/ld+json',
  ])('is a string for the content type %s', async (type) => {
    expect(await post(type, '{"name":"Zoë"}')).toMatchObject({ body: '{"name":"Zoë"}', isBase64Encoded: false });
  });

  it.each(['application/x-www-form-urlencoded', 'application/octet-stream', undefined])(
    'is base64 for the content type %s',
    async (type) => {
      expect(await post(type, Buffer.from([0xff, 0x00]))).toMatchObject({ body: '/wA=', isBase64Encoded: true });
    },
  );

  it('is absent if the request’s body is empty', async () => {
    const event = await post('application/octet-stream', '');
    expect(event).not.toHaveProperty('body');
    expect(event.isBase64Encoded).toBe(false);
  });
});

describe('the request context in the event for a function', () => {
  it('has the time of the service’s clock', async () => {
    const { requestContext } = await eventOf({});
    expect(requestContext).toMatchObject({ time: '20/Nov/2026:15:00:00 +0000', timeEpoch });
  });

  it('contains the method, the protocol and the user agent', async () => {
    const { requestContext } = await eventOf({ method: 'PUT', path: '/a/b', headers: { 'User-Agent': 'curl/8' } });
    expect(requestContext.http).toEqual({
      method: 'PUT',
      path: '/a/b',
      protocol: 'HTTP/1.1',
      sourceIp: '127.0.0.1',
      userAgent: 'curl/8',
    });
  });

  it.each([
    ['203.0.113.9, 198.51.100.1', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['', '127.0.0.1'],
    ['2001:db8::1', '2001:db8::1'],
    // These spellings of an address would count as other visitors.
    ['0313.0.113.9', '127.0.0.1'],
    ['0xcb.0.113.9', '127.0.0.1'],
    ['203.0.28937', '127.0.0.1'],
    ['somebody', '127.0.0.1'],
    ['x'.repeat(300), '127.0.0.1'],
  ])('has, for X-Forwarded-For "%s" sent from this machine, the caller’s IP address %s', async (forwarded, address) => {
    const { requestContext } = await eventOf({ headers: { 'X-Forwarded-For': forwarded } });
    expect(requestContext.http.sourceIp).toBe(address);
  });
});

import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import type { Service } from '#infra/local/gateway/answer.ts';
import { LARGEST_PAYLOAD_BYTES } from '#infra/local/gateway/request-body.ts';
import { listen, type Server } from '#infra/local/gateway/server.ts';

const timeEpoch = Date.parse('2026-11-20T15:00:00.000Z');
const TIMEOUT_MS = 10_000;
const never = new Promise<never>(() => {});

const routes: Record<string, Handler> = {
  'GET /time': async ({ requestContext }) => ({ statusCode: 200, body: String(requestContext.timeEpoch) }),
  'GET /things/{id}': async ({ pathParameters, routeKey }) => ({
    statusCode: 200,
    body: `${routeKey} ${pathParameters?.id}`,
  }),
  'POST /size': async ({ body = '' }) => ({ statusCode: 200, body: String(body.length) }),
  'GET /throws': async () => {
    throw new Error('broken');
  },
  'GET /api/hangs': () => {
    hanging.resolve();
    return never;
  },
  'GET /api/remaining': async (_, context) => ({
    statusCode: 200,
    body: String(context?.getRemainingTimeInMillis?.()),
  }),
  'GET /page': async () => ({ statusCode: 200, headers: { 'Content-Type': 'text/plain' }, body: 'page' }),
  'GET /api/page': async () => ({ statusCode: 200, body: 'data' }),
  'GET /local/time': async () => ({ statusCode: 200, body: 'local' }),
};

const service: Service = {
  routes: Object.entries(routes).map(([key, handler]) => {
    const [method = '', path = ''] = key.split(' ');
    const isOfFunction = path.startsWith('/api/');
    return { method, path, handler, timeoutMs: TIMEOUT_MS, ...(isOfFunction && { function: 'some/function' }) };
  }),
  fallback: async ({ routeKey }) => ({ statusCode: 404, body: routeKey }),
  now: () => timeEpoch,
};

let server: Server;
let hanging: PromiseWithResolvers<void>;

const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

async function answerTo(path: string, init?: RequestInit): Promise<[number, string]> {
  const response = await call(path, init);
  return [response.status, await response.text()];
}

const asked = async (host: string, path = '/local/time') => {
  const request = httpRequest({ host: '127.0.0.1', port: server.port, path, headers: { host } }).end();
  const [response] = await once(request, 'response');
  return [response.statusCode, await text(response)];
};

beforeEach(async () => {
  server = await listen(0);
  hanging = Promise.withResolvers<void>();
});

afterEach(() => {
  vi.useRealTimers();
  return server.stop();
});

describe('a request to the local server', () => {
  beforeEach(() => server.serve(service));

  it('has the time of the service’s clock', async () => {
    expect(await answerTo('/time')).toEqual([200, String(timeEpoch)]);
  });

  it('reaches its function with the path parameters', async () => {
    expect(await answerTo('/things/a%20b?x=1')).toEqual([200, 'GET /things/{id} a b']);
  });

  it('without a matching route is answered by the fallback function', async () => {
    expect(await answerTo('/time', { method: 'DELETE' })).toEqual([404, '$default']);
  });

  it('whose function throws is answered 500', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await answerTo('/throws')).toEqual([500, '{"message":"Internal Server Error"}']);
    expect(log).toHaveBeenCalledOnce();
  });

  it('whose function does not end is answered 503 after Lambda’s timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = answerTo('/api/hangs');
    await hanging.promise;
    vi.advanceTimersByTime(TIMEOUT_MS - 1);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await answer).toEqual([503, '{"message":"Service Unavailable"}']);
  });

  it('passes to its function how much time is left', async () => {
    const [status, remaining] = await answerTo('/api/remaining');
    expect(status).toBe(200);
    expect(Number(remaining)).toBeGreaterThan(0);
    expect(Number(remaining)).toBeLessThanOrEqual(TIMEOUT_MS);
  });

  it('with HEAD is answered like GET, without the body', async () => {
    const head = await call('/page', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/plain', '']);
    expect((await call('/api/page', { method: 'HEAD' })).status).toBe(404);
  });

  it('can be as large as Lambda’s limit, and no larger', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'text/plain' } };
    const largest = 'x'.repeat(LARGEST_PAYLOAD_BYTES);
    expect(await answerTo('/size', { ...post, body: largest })).toEqual([200, String(LARGEST_PAYLOAD_BYTES)]);
    const tooLarge = await answerTo('/size', { ...post, body: `${largest}x` });
    expect(tooLarge).toEqual([413, '{"message":"Request Entity Too Large"}']);
  });

  describe('to one of the routes that only a local run has, such as its clock,', () => {
    it.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'acme.localhost', 'a.b.localhost', '[::1]'])(
      'is accepted if its host is this machine: %s',
      async (name) => {
        expect(await asked(`${name}:${server.port}`)).toEqual([200, 'local']);
      },
    );

    it.each(['evil.test', 'localhost.evil.test', 'evillocalhost', '127.0.0.1.evil.test', '127.0.0.2', '0.0.0.0', ''])(
      'is answered 404 if its host is %j',
      async (name) => {
        for (const path of ['/local/time', '/%6cocal/time']) {
          expect(await asked(`${name}:${server.port}`, path)).toEqual([404, '$default']);
        }
        expect(await asked(`${name}:${server.port}`, '/time')).toEqual([200, String(timeEpoch)]);
      },
    );

    it('is answered 404 if its host has another port or none', async () => {
      expect(await asked(`localhost:${server.port + 1}`)).toEqual([404, '$default']);
      expect(await asked('localhost')).toEqual([404, '$default']);
    });
  });

  it('does not affect other requests when it is aborted', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /size HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf');
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
    expect(await answerTo('/time')).toEqual([200, String(timeEpoch)]);
  });
});

it('the local server answers requests that arrived before the service had started as soon as it has', async () => {
  const early = answerTo('/time');
  server.serve(service);
  expect(await early).toEqual([200, String(timeEpoch)]);
});

it('the local server fails if its port is in use', async () => {
  await expect(listen(server.port)).rejects.toThrow(`Port ${server.port} is taken`);
});

it('the local server, when stopped, first finishes the request in progress, and then closes all connections', async () => {
  const called = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const waits: Handler = async () => {
    called.resolve();
    await finished.promise;
    return { statusCode: 200, body: 'done' };
  };
  server.serve({ ...service, fallback: waits });
  const agent = new Agent({ keepAlive: true });
  const request = httpRequest({ port: server.port, host: '127.0.0.1', agent }).end();
  const responded = once(request, 'response');
  await called.promise;
  const stopped = server.stop();
  finished.resolve();
  const [response] = await responded;
  expect(await text(response)).toBe('done');
  await stopped;
  await expect(call('/')).rejects.toThrow('fetch failed');
});

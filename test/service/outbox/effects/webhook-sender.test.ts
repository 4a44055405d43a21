import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebhookSender } from '#lib/service/outbox/effects/webhook-sender.ts';
import { selfSigned } from '#test/browser/support/certificate.ts';

/** Responds to a client's request on its socket. */
type Answer = (socket: Socket) => void;

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Starts a server that answers each connection. */
async function listen(answer: Answer, host = '127.0.0.1') {
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .on('data', (data) => {
        const isFirst = request === '';
        request += data.toString('latin1');
        if (isFirst) requests.push(request);
        else requests[requests.length - 1] = request;
        if (isFirst) answer(socket);
      });
  });
  server.listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/hooks`, requests };
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const resolve = vi.fn<(hostname: string) => Promise<readonly string[]>>();
beforeEach(() => {
  resolve.mockReset().mockRejectedValue(new Error('Made by the test: no name is to be looked up'));
});
const own = ['https://track.test'];
const local = createWebhookSender({ allowsLoopback: true, own, resolve, timeoutMs: 5_000 });
const hasty = createWebhookSender({ allowsLoopback: true, own, resolve, timeoutMs: 150 });
const deployed = createWebhookSender({ allowsLoopback: false, own, resolve });
/** Treats this machine's addresses as public. */
const elsewhere = createWebhookSender({
  allowsLoopback: false,
  own,
  resolve,
  isPublic: (address) => address.startsWith('127.'),
  timeoutMs: 5_000,
});
const request = { headers: { 'webhook-id': 'evt_1' }, body: '{"type":"endpoint.test"}' };
const durationMs = expect.any(Number) as number;
const NOT_PUBLIC = { error: 'The host has an address that is not public', durationMs };

const http = (status: string, headers: readonly string[] = [], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');

describe('the result of sending a webhook to an endpoint', () => {
  it.each([
    ['200 OK', { statusCode: 200 }],
    ['204 No Content', { statusCode: 204 }],
    ['404 Not Found', { statusCode: 404 }],
    ['410 Gone', { statusCode: 410 }],
    ['500 Oops', { statusCode: 500 }],
    ['999 Unheard', { statusCode: 999 }],
  ])('that answers %s contains the status', async (status, told) => {
    const { url, requests } = await listen((socket) => socket.end(http(status)));
    expect(await local({ ...request, url })).toEqual({ ...told, response: '', durationMs });
    const { host } = new URL(url);
    expect(requests).toEqual([
      [
        'POST /hooks HTTP/1.1',
        'content-type: application/json',
        `content-length: ${request.body.length}`,
        'accept-encoding: identity',
        'user-agent: ReferralTracking-Webhooks/0.1.0',
        'connection: close',
        'webhook-id: evt_1',
        `Host: ${host}`,
        '',
        request.body,
      ].join('\r\n'),
    ]);
  });

  it('that redirects is the redirect’s status, and no second request is sent', async () => {
    const other = await listen((socket) => socket.end(http('200 OK')));
    for (const status of ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent']) {
      const { url } = await listen((socket) => socket.end(http(status, [`Location: ${other.url}`])));
      const statusCode = Number(status.slice(0, 3));
      expect(await local({ ...request, url })).toEqual({
        statusCode,
        error: 'Redirects are not followed',
        response: '',
        durationMs,
      });
    }
    expect(other.requests).toEqual([]);
  });

  it('contains the header Retry-After', async () => {
    const { url } = await listen((socket) => socket.end(http('503 Busy', ['Retry-After: 120'])));
    expect(await local({ ...request, url })).toEqual({ statusCode: 503, response: '', retryAfter: '120', durationMs });
  });

  it('contains the first kilobyte of the response, cut between characters', async () => {
    const { url } = await listen((socket) => socket.end(http('200 OK', [], `${'a'.repeat(1_023)}ü and more`)));
    const { response } = await local({ ...request, url });
    expect(Buffer.byteLength(response!)).toBeLessThanOrEqual(1_024);
    expect(response).toMatch(/^a{1023}/);
  });

  it('contains at most a kilobyte even if the response is invalid UTF-8', async () => {
    const { url } = await listen((socket) => {
      socket.write(http('200 OK'));
      socket.end(Buffer.alloc(4_096, 0xff));
    });
    const { response } = await local({ ...request, url });
    expect(Buffer.byteLength(response!)).toBeLessThanOrEqual(1_024);
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, identity'])(
    'that answers in %s does not contain the response, which is not decompressed',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const { url } = await listen((socket) => {
        socket.write(http('200 OK', [`Content-Encoding: ${encoding}`, `Content-Length: ${bomb.length}`]));
        socket.end(bomb);
      });
      const before = process.memoryUsage().arrayBuffers;
      expect(await local({ ...request, url })).toEqual({ statusCode: 200, durationMs });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    },
  );

  it.each([
    ['never ends', ['Transfer-Encoding: identity']],
    ['has a gigabyte', ['Content-Length: 1073741824']],
  ])('with a response that %s contains the status and the beginning of the response', async (_, headers) => {
    let sent = 0;
    const chunk = Buffer.alloc(16 * 1_024, 'a');
    const { url } = await listen((socket) => {
      socket.write(http('200 OK', headers));
      const more = (): void => {
        if (socket.destroyed) return;
        sent += chunk.length;
        socket.write(chunk, more);
      };
      more();
    });
    expect(await local({ ...request, url })).toEqual({ statusCode: 200, response: 'a'.repeat(1_024), durationMs });
    // The limit covers the size of the machine's socket buffers.
    expect(sent).toBeLessThan(50_000_000);
  });

  it('that never finishes its response contains the status and the part that arrived before the timeout', async () => {
    const { url } = await listen((socket) => void socket.write(http('200 OK', ['Content-Length: 10'], 'half ')));
    expect(await hasty({ ...request, url })).toEqual({ statusCode: 200, response: 'half ', durationMs });
  });

  it('that interrupts its response contains the status and the part that arrived', async () => {
    const { url } = await listen((socket) => {
      socket.end(http('200 OK', ['Content-Length: 10'], 'half '));
    });
    expect(await local({ ...request, url })).toEqual({ statusCode: 200, response: 'half ', durationMs });
  });
});

describe('the result of sending a webhook that gets no response is an error', () => {
  it.each<[string, string, Answer]>([
    ['after the timeout', 'No answer within 0.15 seconds', () => undefined],
    [
      'when it sends one byte at a time',
      'No answer within 0.15 seconds',
      (socket) => {
        const timer = setInterval(() => socket.write('H'), 20);
        socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'when it sends endless informational responses',
      'No answer within 0.15 seconds',
      (socket) => {
        const timer = setInterval(() => socket.write(http('103 Early Hints', ['Link: </a>'])), 10);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    ['when it closes the connection', 'The connection was closed without an answer', (socket) => void socket.end()],
    [
      'when it resets the connection',
      'The connection was closed without an answer',
      (socket) => void socket.resetAndDestroy(),
    ],
    [
      'when it sends an invalid HTTP response',
      'The request failed (HPE_INVALID_CONSTANT)',
      (socket) => void socket.end('220 mail.acme.test ESMTP\r\n'),
    ],
    [
      'when it sends headers that are too long',
      'The request failed (HPE_HEADER_OVERFLOW)',
      (socket) => void socket.end(http('200 OK', [`X-Long: ${'a'.repeat(100_000)}`])),
    ],
    [
      'when it switches to another protocol',
      'The connection was closed without an answer',
      (socket) => void socket.write(http('101 Switching Protocols', ['Connection: Upgrade', 'Upgrade: websocket'])),
    ],
  ])('%s', async (_, error, answer) => {
    const { url } = await listen(answer);
    expect(await hasty({ ...request, url })).toEqual({ error, durationMs });
  });

  it('if nothing listens at the address', async () => {
    const { url, port } = await listen(() => undefined);
    const server = servers.pop()!;
    server.close();
    await once(server, 'close');
    expect(port).toBeGreaterThan(0);
    expect(await local({ ...request, url })).toEqual({ error: 'The connection was refused', durationMs });
  });

  it('if the lookup of the host name takes too long', async () => {
    resolve.mockReturnValue(new Promise(() => undefined));
    expect(await hasty({ ...request, url: 'https://slow.acme.test/' })).toEqual({
      error: 'No answer within 0.15 seconds',
      durationMs,
    });
  });

  it('and no request is sent if a header contains a line break', async () => {
    const { url, requests } = await listen((socket) => socket.end(http('200 OK')));
    const headers = { 'webhook-id': 'evt_1\r\nX-Other: 1' };
    expect(await local({ ...request, headers, url })).toEqual({
      error: 'The request failed (ERR_INVALID_CHAR)',
      durationMs,
    });
    expect(requests).toEqual([]);
  });
});

describe('the sender of webhooks makes no connection', () => {
  it.each([
    'http://127.0.0.1:{port}/',
    'https://127.0.0.1:{port}/',
    'https://localhost:{port}/',
    'https://localhost.:{port}/',
    'https://127.1:{port}/',
    'https://2130706433:{port}/',
    'https://0x7f.0.0.1:{port}/',
    'https://0177.0.0.1:{port}/',
    'https://[::1]:{port}/',
    'https://[::ffff:127.0.0.1]:{port}/',
    'https://[64:ff9b::7f00:1]:{port}/',
    'https://[2002:7f00:1::]:{port}/',
    'https://[fe80::1%25lo]:{port}/',
    'https://0.0.0.0:{port}/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user:secret@acme.test/',
    'https://acme.test:25/',
    'https://track.test/hooks',
    'an invalid address',
    '',
  ])('to %s', async (template) => {
    const { port, requests } = await listen((socket) => socket.end(http('200 OK')));
    const url = template.replace('{port}', String(port));
    expect(await deployed({ ...request, url })).toEqual({
      error: 'The address is not an https address of a public host',
      durationMs,
    });
    expect(requests).toEqual([]);
    expect(resolve).not.toHaveBeenCalled();
  });

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::'],
    ['2001:0:7f00:1::'],
    ['fe80::1%lo'],
    ['fd00:ec2::254'],
    ['an invalid address'],
    // Only one of several addresses is not public.
    ['93.184.216.34', '10.0.0.1'],
    ['10.0.0.1', '93.184.216.34'],
    ['93.184.216.34', '2606:2800:220:1::1', '93.184.216.35', '93.184.216.36', '93.184.216.37', '::1'],
  ])('to a host name that leads to %s', async (...addresses) => {
    resolve.mockResolvedValue(addresses);
    expect(await deployed({ ...request, url: 'https://hooks.acme.test/' })).toEqual(NOT_PUBLIC);
    expect(resolve.mock.calls).toEqual([['hooks.acme.test']]);
  });

  it('to a host name that leads to no address', async () => {
    resolve.mockResolvedValue([]);
    expect(await deployed({ ...request, url: 'https://hooks.acme.test/' })).toEqual({
      error: 'The host has no address',
      durationMs,
    });
  });
});

/** The first bytes of TLS contain the host in plain text. */
const TLS_HELLO = '\u0016\u0003\u0001';

describe('the host name of a webhook endpoint', () => {
  it('is looked up once, and the connection goes to exactly the address that was checked', async () => {
    const checked = await listen((socket) => socket.destroy(), '127.0.0.2');
    const changed = await listen((socket) => socket.destroy(), '127.0.0.3');
    resolve.mockResolvedValueOnce(['127.0.0.2']).mockResolvedValue(['127.0.0.3']);
    await elsewhere({ ...request, url: `https://hooks.acme.test:${checked.port}/` });
    await elsewhere({ ...request, url: `https://hooks.acme.test:${changed.port}/` });
    expect(resolve).toHaveBeenCalledTimes(2);
    for (const { requests } of [checked, changed]) {
      expect(requests).toEqual([expect.stringMatching(new RegExp(`^${TLS_HELLO}[^]*hooks.acme.test`))]);
    }
  });

  it('with two addresses is reached at the second one if the first one refuses the connection', async () => {
    const { port, requests } = await listen((socket) => socket.destroy(), '127.0.0.2');
    resolve.mockResolvedValue(['127.0.0.3', '127.0.0.2']);
    await elsewhere({ ...request, url: `https://hooks.acme.test:${port}/` });
    expect(requests).toHaveLength(1);
  });
});

it('in a local run, localhost as a webhook endpoint is reached on IPv4 as well as IPv6', async () => {
  const { port, requests } = await listen((socket) => socket.end(http('200 OK')), '::1');
  expect(await local({ ...request, url: `http://localhost:${port}/` })).toMatchObject({ statusCode: 200 });
  expect(requests).toHaveLength(1);
});

/** Sends in a separate process and prints the outcome. */
async function sendWith(environment: Readonly<Record<string, string>>, url: string): Promise<unknown> {
  const script = `
    import { createWebhookSender } from '#lib/service/outbox/effects/webhook-sender.ts';
import { selfSigned } from '#test/browser/support/certificate.ts';
    const send = createWebhookSender({ allowsLoopback: true, own: [], timeoutMs: 5000 });
    console.log(JSON.stringify(await send({ url: ${JSON.stringify(url)}, headers: {}, body: '{}' })));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH, ...environment },
  });
  return JSON.parse(stdout);
}

describe('environment variables of Node do not influence how webhooks are sent:', () => {
  it('no proxy is used despite NODE_USE_ENV_PROXY', async () => {
    const proxy = await listen((socket) => socket.end(http('502 Bad Gateway')));
    const { url, requests } = await listen((socket) => socket.end(http('200 OK')));
    const address = `http://127.0.0.1:${proxy.port}`;
    const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address };
    expect(await sendWith(environment, url)).toMatchObject({ statusCode: 200 });
    expect(requests).toHaveLength(1);
    expect(proxy.requests).toEqual([]);
  });

  it('an untrusted certificate is refused', { tags: ['deep'] }, async () => {
    const server = createTlsServer(await selfSigned('127.0.0.1'), (socket) => socket.end(http('200 OK')));
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    expect(await sendWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, `https://127.0.0.1:${port}/`)).toMatchObject({
      error: 'The certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
  });
});

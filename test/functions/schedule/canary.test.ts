import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedule/canary.ts';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { listen } from '#infra/local/gateway/server.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { selfSigned } from '#test/browser/support/certificate.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { NOW } from '#test/support/callers/request.ts';
import { opened } from '#test/support/cases/opened.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { openedScriptedServer } from '#test/support/servers/scripted-server.ts';
import { counted } from '#test/support/table/stream.ts';
import { allItems } from '#test/support/table/invariants.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'INFO';

interface Line {
  readonly message: string;
  readonly days?: number;
  readonly certificate_days?: number;
  readonly error?: { readonly message: string };
}

let lines: Line[] = [];
let text = '';
const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
for (const write of writes) {
  write.mockImplementation((written) => {
    text += String(written);
    for (const line of String(written).split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line));
    return true;
  });
}
const secrets = mockClient(SecretsManagerClient);
afterAll(() => {
  for (const write of writes) write.mockRestore();
  secrets.restore();
});

const world = openedWorld({ hasFacts: true });
const brand = opened(() => world.brand());
const scripted = openedScriptedServer();
/** The service over HTTP, with its real functions. */
const service = opened(async () => {
  const server = await listen(0);
  server.serve({ ...functionRoutes(loadedFunction), now: () => NOW.getTime() });
  return server;
});
afterAll(() => service.stop());

beforeEach(() => {
  secrets.reset();
  holds({ PROGRAM_API_KEY: brand.key, placeholder: 'x' });
});

const holds = (value: unknown) =>
  secrets.on(GetSecretValueCommand, { SecretId: 'arn:canary' }).resolves({ SecretString: JSON.stringify(value) });

/** Runs the canary against a URL. @returns the codes of its log lines, with what went wrong */
async function logOf(
  baseUrl: string,
  at = NOW,
  remainingMs = 10_000,
): Promise<(readonly [string, (string | number)?])[]> {
  Object.assign(process.env, { BASE_URL: baseUrl, CANARY_SECRET_ID: 'arn:canary' });
  discardContainer();
  [lines, text] = [[], ''];
  await handler({ time: at.toISOString() }, { getRemainingTimeInMillis: () => remainingMs });
  expect(text).not.toContain(brand.key);
  return lines.map(({ message, days, error }) => [message, error?.message ?? days]);
}

const stored = { status: 200, body: { success: true, data: { eventId: 1, programId: 2 } } };

describe('a run of the canary, which regularly sends test events to the installation,', () => {
  it('stores a test click, a test lead and a test sale, and no commission', async () => {
    const before = new Set((await allItems(world)).map(({ pk }) => pk));
    expect(await logOf(`http://127.0.0.1:${service.port}`)).toEqual([['canary_passed', undefined]]);
    const left = (await allItems(world)).filter((item) => !before.has(item.pk) && !('expires_at' in item));
    const kinds = left.map(
      ({ pk, type = '', isTest }) => `${String(pk).replace(/#.*/, '')} ${String(type)} ${String(isTest)}`,
    );
    expect(kinds.toSorted()).toEqual([
      'SALE  true',
      'SEQUENCE  undefined',
      'TEST_EVENT click true',
      'TEST_EVENT lead true',
    ]);
    expect(left.find(({ sk }) => sk === 'SALE')).toMatchObject({
      programId: brand.program.id,
      transactionId: expect.stringMatching(/^canary_[0-9a-f-]+$/),
      commissionState: 'test',
    });
  });

  it('changes no figure, list or balance of its program, and its facts say that they are tests', async () => {
    const owner = dashboard((await ownerOfBrand(world, brand)).token);
    const pump = await factPump(world);
    const read = async (list: string) => {
      const { status, body } = await owner.get(`/programs/${brand.program.id}/${list}`);
      expect(status).toBe(200);
      return body;
    };
    const lists = [
      'performance',
      'links',
      'partners',
      'events',
      'customers',
      'commissions',
      'owed',
      'processor/payments',
    ];
    const shown = async () => {
      await counted(world);
      await pump.run(NOW);
      return Promise.all(lists.map(read));
    };
    const before = await shown();
    expect(await logOf(`http://127.0.0.1:${service.port}`)).toEqual([['canary_passed', undefined]]);
    expect(await shown()).toEqual(before);
    const facts: readonly { readonly type: string; readonly data: { readonly is_test?: boolean } }[] = (
      await read('facts')
    ).data;
    expect(new Set(facts.filter(({ type }) => /^(lead|sale)/.test(type)).map(({ data }) => data.is_test))).toEqual(
      new Set([true]),
    );
  });

  it('succeeds twice in a row, because each run uses a new transaction id', async () => {
    const url = `http://127.0.0.1:${service.port}`;
    expect([await logOf(url), await logOf(url)]).toEqual([
      [['canary_passed', undefined]],
      [['canary_passed', undefined]],
    ]);
  });

  it('sends each event with the program key', async () => {
    scripted.answer(stored, stored, stored);
    await logOf(scripted.url);
    const additional_data = { test_mode: true };
    expect(scripted.requests.map(({ path, body, headers }) => [path, body, headers.authorization])).toEqual([
      ['/api/v1/track/click', { additional_data }, `Bearer ${brand.key}`],
      ['/api/v1/track/lead', { additional_data }, `Bearer ${brand.key}`],
      [
        '/api/v1/track/sale',
        { transaction_id: expect.any(String), amount_cents: 100, additional_data },
        `Bearer ${brand.key}`,
      ],
    ]);
  });
});

describe('a run of the canary, which sends test events to the installation, reports', () => {
  it.each([
    [
      'a server error',
      [stored, { status: 500, body: { error: { message: 'Lead tracking failed' } } }],
      'The test lead got 500: Lead tracking failed',
    ],
    [
      'a page in place of a reply',
      [{ status: 502, body: '<html>' }],
      'The test click got 502: not a reply of this service',
    ],
    [
      'a reply without an event',
      [stored, stored, { status: 200, body: { success: true } }],
      'The test sale got 200: not a reply of this service',
    ],
    ['a closed connection', ['drop'], 'The test click got no reply'],
    ['a service that never replies', [stored, 'hang'], 'The test lead got no reply'],
    [
      'a redirect, which gets no key',
      [{ status: 307, headers: { Location: '/elsewhere' } }, stored],
      'The test click got no reply',
    ],
  ] as const)('%s', async (_what, replies, problem) => {
    scripted.answer(...replies);
    // Of its time, the last second is for the log.
    const remainingMs = (replies as readonly unknown[]).includes('hang') ? 1_300 : undefined;
    expect(await logOf(scripted.url, NOW, remainingMs)).toEqual([['canary_failed', problem]]);
    expect(scripted.requests.length).toBeLessThanOrEqual(3);
  });

  it('a closed port', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await logOf(`http://127.0.0.1:${port}`)).toEqual([['canary_failed', 'The test click got no reply']]);
  });

  it('a retired or mistyped program key', async () => {
    holds({ PROGRAM_API_KEY: `aff_${brand.program.id}_mistyped` });
    expect(await logOf(`http://127.0.0.1:${service.port}`)).toEqual([
      ['canary_failed', 'The test lead got 401: Invalid API token'],
    ]);
  });

  it.each([{}, { PROGRAM_API_KEY: '' }, 'aff_1'])(
    'a program key that is missing from the secret: %j',
    async (value) => {
      holds(value);
      expect(await logOf(scripted.url)).toEqual([
        ['canary_failed', 'Put {"PROGRAM_API_KEY":"aff_…"} into the secret that the output CanarySecretName names'],
      ]);
    },
  );

  it('a secret that cannot be read', async () => {
    secrets.on(GetSecretValueCommand).rejects(new Error('AccessDenied'));
    expect(await logOf(scripted.url)).toEqual([['canary_failed', 'AccessDenied']]);
  });
});

/** The certificate is new in real time. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

describe('the canary’s check of the public URL’s certificate', { tags: ['deep'] }, () => {
  const DAYS = 30;
  /** A service with a certificate that is valid for some days, and is trusted from now on. */
  const secured = opened(async () => {
    const { key, cert } = await selfSigned('localhost', DAYS);
    const server = createServer({ key, cert }, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(stored.body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { cert, server, url: `https://localhost:${(server.address() as AddressInfo).port}` };
  });
  const trusted = getCACertificates('default');
  afterAll(() => {
    setDefaultCACertificates(trusted);
    secured.server.closeAllConnections();
    secured.server.close();
  });

  it('reports a certificate that HTTP clients do not trust', async () => {
    const [[code, problem] = []] = await logOf(secured.url, inDays(0));
    expect([code, problem]).toEqual(['canary_failed', expect.stringMatching(/self-signed/)]);
  });

  it.each([
    [DAYS - 23, []],
    [DAYS - 20, [['certificate_expiring', 19]]],
    [DAYS + 2, [['certificate_expiring', -3]]],
  ] as const)('after %i days reports the certificate only if it expires within 21 days', async (days, reported) => {
    setDefaultCACertificates([...trusted, secured.cert]);
    expect(await logOf(secured.url, inDays(days))).toEqual([...reported, ['canary_passed', undefined]]);
  });
});

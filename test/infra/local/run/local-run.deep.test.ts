import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brandScript } from '#infra/build/site.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { readClockOffsetMs } from '#lib/service/ground/counters/clock-offset-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { failToStart, startLocal } from '#test/infra/local/run/local-process.ts';
import { createTestTable } from '#test/support/table/create-table.ts';

type LocalProcess = Awaited<ReturnType<typeof startLocal>>;

const newFolder = () => mkdtemp(join(tmpdir(), 'local-run-'));

const demo = {
  workspace_id: 1,
  program_id: 1,
  program_api_key: expect.stringMatching(/^aff_1_[0-9A-Za-z]{32}$/),
  owner_email: 'owner@acme.test',
  member_email: 'member@acme.test',
  partner: { id: 1, name: 'Ana', email: 'ana@partners.test' },
  link: 'ana',
};

describe('a local run in memory', () => {
  let folder: string;
  let local: LocalProcess;

  const url = (path: string) => `${local.run.base_url}${path}`;
  const moveClock = async (body: unknown) => {
    const response = await fetch(url('/local/clock'), { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as { now: string } };
  };
  const clockNow = async () => {
    const response = await fetch(url('/local/clock'));
    const { now } = (await response.json()) as { now: string };
    return Date.parse(now);
  };

  beforeAll(async () => {
    folder = await newFolder();
    local = await startLocal(folder);
  });

  afterAll(async () => {
    await local.end();
    await rm(folder, { recursive: true });
  });

  it('answers an unknown dashboard path with the application’s page for browsers, and with 404 for other clients', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await fetch(url('/programs/1/nothing'), { headers: { accept } });
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const [path, headers] of [
      ['/programs/1/nothing', { accept: '*/*' }],
      ['/api/nothing', { accept }],
      ['/missing.js', { accept }],
    ] as const) {
      const { status, headers: received } = await fetch(url(path), { headers });
      expect({ path, status, type: received.get('content-type') }).toEqual({
        path,
        status: 404,
        type: 'application/json; charset=utf-8',
      });
    }
  });

  it('is ready within seconds, also on a busy machine', () => {
    console.info(`ready after ${Math.round(local.readyMs)} ms`);
    expect(local.readyMs).toBeLessThan(10_000);
  });

  it('writes its URL and first steps to its run file', () => {
    expect(local.run).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dynamodb_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      table_name: 'service-local',
      demo,
    });
  });

  it.each([
    { where: 'Dashboard', home: '/', who: 'sign in as owner@acme.test', path: '/programs/1/settings' },
    {
      where: 'Partner portal',
      home: '/partner',
      who: 'as ana@partners.test',
      path: '/partner/programs/1/links',
    },
  ])(
    'prints the URL of the $where and as whom to sign in, and serves the pages there',
    async ({ where, home, who, path }) => {
      const said = local.said();
      expect(said).toContain(`${where}: ${local.run.base_url}${home}\n`);
      expect(said).toContain(who);
      const page = await fetch(url(path));
      const [, script] = /<script type="module" src="(\S+)">/.exec(await page.text()) ?? [];
      const { status, headers } = await fetch(url(script!));
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    },
  );

  it('has a demo link that is inactive, whose clicks are answered 410', async () => {
    const body = JSON.stringify({ affiliate_url: 'https://acme.test/?aff=gone' });
    const response = await fetch(url('/api/v1/track/click'), { method: 'POST', body });
    expect(response.status).toBe(410);
  });

  it('allows its own pages to send clicks', async () => {
    const preflight = { method: 'OPTIONS', headers: { origin: local.run.base_url } };
    const response = await fetch(url('/api/v1/track/click'), preflight);
    expect(response.headers.get('access-control-allow-origin')).toBe(local.run.base_url);
  });

  it.each(['tracker.js', 'payment-links.js'] as const)(
    'serves the script %s, so that brands’ pages can load it',
    async (name) => {
      const { text, cacheControl } = await brandScript(name);
      const response = await fetch(url(`/js/${name}`));
      const headers = ['content-type', 'cache-control', 'access-control-allow-origin'].map((header) =>
        response.headers.get(header),
      );
      expect({ status: response.status, headers, text: await response.text() }).toEqual({
        status: 200,
        headers: ['text/javascript; charset=utf-8', cacheControl, '*'],
        text,
      });
    },
  );

  it('prints curl commands for a tour, which work when they are pasted in order', () => {
    const lines = local
      .said()
      .split('\n')
      .filter((line) => line.includes('curl'));
    expect(lines).toHaveLength(4);
    const [click, ...replies] = execFileSync('sh', { input: lines.join('\n'), encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(click).toMatch(/^clk_/);
    expect(replies.map((reply) => JSON.parse(reply))).toMatchObject([
      { success: true, message: 'Lead tracked successfully' },
      { success: true, attributed: true },
      { success: true, status: 'reversed', deduction_cents: 980 },
    ]);
  });

  describe('the clock of a local run', () => {
    afterEach(() => moveClock({ reset: true }));

    it('starts at the real time and goes on', async () => {
      expect(Math.abs((await clockNow()) - Date.now())).toBeLessThan(1_000);
    });

    it.each([
      [{ advance_seconds: 3600 }, () => Date.now() + 3_600_000],
      [{ advance_seconds: -0.5 }, () => Date.now() - 500],
      [{ now: '2027-01-01T00:00:00Z' }, () => Date.parse('2027-01-01T00:00:00Z')],
      [{ now: '2027-01-01T02:00:00+02:00' }, () => Date.parse('2027-01-01T00:00:00Z')],
      [{ now: null, reset: true }, () => Date.now()],
    ])('can be moved by the request %j, and goes on from there', async (body, expected) => {
      const reply = await moveClock(body);
      expect(reply).toEqual({ status: 200, body: { now: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) } });
      const now = await clockNow();
      expect(Math.abs(now - expected())).toBeLessThan(1_000);
      expect(now).toBeGreaterThanOrEqual(Date.parse(reply.body.now));
    });

    it.each([
      {},
      { advance_seconds: '60' },
      { advance_seconds: 1e300 },
      { now: '2027-02-30T00:00:00Z' },
      { now: 'tomorrow' },
      { now: 1 },
      { reset: false },
    ])('answers 400 to the request %j', async (body) => {
      expect(await moveClock(body)).toEqual({
        status: 400,
        body: {
          data: null,
          error: {
            status: 400,
            name: 'BadRequestError',
            message: 'Send advance_seconds, now or reset',
            details: {},
          },
        },
      });
    });

    it('is read by a route with the same headers as every other route', async () => {
      const { headers } = await fetch(url('/local/clock'));
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    });

    it('gives every function its time', async () => {
      await moveClock({ now: '2027-01-01T00:00:30Z' });
      const { headers } = await fetch(url('/api/v1/track/click'), { method: 'POST' });
      expect(headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2027-01-01T00:01:00Z') / 1000));
    });

    it('is stored in the table as an offset, so that the operator’s commands use it', async () => {
      const client = documentClient({ dynamodbEndpoint: local.run.dynamodb_endpoint, region: 'us-east-1' });
      const offset = () => readClockOffsetMs(new Table(client, local.run.table_name, new Date()));
      await moveClock({ advance_seconds: 3600 });
      // The test's clock may differ from the service's by moments.
      expect(Math.abs((await offset()) - 3_600_000)).toBeLessThan(1_000);
      await moveClock({ reset: true });
      expect(await offset()).toBe(0);
    });
  });

  it('cannot be started on a port that another run uses', async () => {
    const { port } = new URL(local.run.base_url);
    expect(await failToStart(folder, { PORT: port })).toEqual({
      code: 1,
      said: `Port ${port} is taken. PORT=<number> chooses another one, PORT=0 any free one.\n`,
    });
  });

  it('ends on SIGTERM with exit code 0, and ends its database engine', async () => {
    expect(await local.end('SIGTERM')).toBe(0);
    await expect(fetch(local.run.dynamodb_endpoint)).rejects.toThrow('fetch failed');
  });
});

describe('a local run in its own process', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await newFolder();
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('prints first steps instead of a tour with DEMO=0, and ends on Ctrl-C with exit code 0', async () => {
    const local = await startLocal(folder, { DEMO: '0' });
    expect(local.run.demo).toBeNull();
    expect(local.said()).not.toContain('curl');
    expect(local.said()).toContain(`To begin, open ${local.run.base_url}/ and sign in`);
    expect(local.said()).toContain(`affitor login --api-url ${local.run.base_url}`);
    expect(await local.end('SIGINT')).toBe(0);
    await expect(fetch(local.run.dynamodb_endpoint)).rejects.toThrow('fetch failed');
    expect(await readdir(folder)).toEqual(['.local']);
  });

  it('uses another database engine if DYNAMODB_ENDPOINT names one, and gives a demo that exists there a new program key', async () => {
    const variables = { DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT!, TABLE_NAME: await createTestTable() };
    const first = await startLocal(folder, variables);
    await first.end();
    const second = await startLocal(folder, variables);
    await second.end();
    expect(first.run).toMatchObject({ dynamodb_endpoint: variables.DYNAMODB_ENDPOINT, demo });
    expect(second.run.demo).toEqual(demo);
    expect(second.run.demo?.program_api_key).not.toBe(first.run.demo?.program_api_key);
  });

  it('reports an invalid variable, and deletes the run file of an earlier run', async () => {
    await mkdir(join(folder, '.local'));
    await writeFile(join(folder, '.local', 'run.json'), '{}');
    const { code, said } = await failToStart(folder, { PLATFORM_FEE_BPS: '10001' });
    expect(code).toBe(1);
    expect(said).toBe('Configuration: PLATFORM_FEE_BPS: must be an integer from 0 to 10000\n');
    expect(await readdir(join(folder, '.local'))).toEqual([]);
  });
});

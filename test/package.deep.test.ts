import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocal } from '#test/infra/local/run/local-process.ts';

// Tests the package in a brand's project: installed without a network, and run by the machine's Node.

const run = promisify(execFile);
const types = resolve('node_modules/@types');
const typescript = resolve('node_modules/.bin/tsc');
const tarball = resolve('dist/client.tgz');

let folder: string;
let project: string;
let local: Awaited<ReturnType<typeof startLocal>>;

/** Runs a process of the brand, without anything of this project. */
const inProject = (command: string, words: readonly string[]) =>
  run(command, words, {
    cwd: project,
    env: {
      PATH: withoutOurs(process.env.PATH!),
      HOME: folder,
      SERVICE_API_KEY: local.run.demo!.program_api_key,
    },
  });

/** The option that disables `require` of modules, for versions of Node that have it. */
async function withoutRequiredModules(): Promise<string[]> {
  const word = '--experimental-require-module';
  const { stdout } = await inProject('node', ['-p', `process.allowedNodeEnvironmentFlags.has('${word}')`]);
  return stdout.trim() === 'true' ? [word.replace('--', '--no-')] : [];
}

const affitor = () => join(project, 'node_modules/.bin/affitor');

const withoutOurs = (path: string) =>
  path
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  project = join(folder, 'brand');
  await mkdir(project);
  local = await startLocal(folder);
  await run('npm', ['run', '--silent', 'package']);
  await writeFile(join(project, 'package.json'), '{ "name": "brand", "private": true, "type": "module" }');
  // A separate empty cache, so that only the package can be installed.
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await inProject('npm', ['install', ...offline, tarball]);
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

describe('the npm package for brands', () => {
  it('contains only the client, affitor, the tracker, their types and licenses', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const paths = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package[/]/, ''))
      .filter((path) => !/^dist[/]package[/](cjs[/])?types[/]/.test(path));
    expect(paths.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/package/THIRD-PARTY-LICENSES.txt',
      'dist/package/affitor.js',
      'dist/package/cjs/client.js',
      'dist/package/cjs/package.json',
      'dist/package/cjs/testing.js',
      'dist/package/cjs/tracker.js',
      'dist/package/client.js',
      'dist/package/testing.js',
      'dist/package/tracker.js',
      'guides/errors.md',
      'guides/stripe-outcomes.md',
      'guides/stripe.md',
      'guides/webhooks.md',
      'package.json',
      'recipes/express.js',
      'recipes/fastify.js',
      'recipes/first-party-proxy.js',
      'recipes/next-route.js',
      'recipes/pending-leads.js',
      'recipes/stripe-webhook.js',
      'recipes/webhook-express.js',
      'recipes/webhook-lambda.js',
      'recipes/webhook-next-route.js',
    ]);
    const { size } = await stat(tarball);
    expect(size).toBeLessThan(102_000);
  });

  it('contains the client library’s README, its guides and every file they link to', async () => {
    const installed = join(project, 'node_modules/referral-tracking-service');
    const found: string[] = [];
    for (const document of ['README.md', 'guides/errors.md', 'guides/stripe.md', 'guides/webhooks.md']) {
      const text = await readFile(join(installed, document), 'utf8');
      expect(text).toBe(await readFile(join('lib/apps/client', document), 'utf8'));
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => join(dirname(document), link!));
      for (const link of links) expect((await stat(join(installed, link))).isFile()).toBe(true);
      found.push(...links);
    }
    expect(found).toEqual(
      expect.arrayContaining(['recipes/express.js', 'guides/stripe.md', 'guides/stripe-outcomes.md']),
    );
  });

  it('has no dependencies', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/referral-tracking-service']);
    const own = lock.packages['node_modules/referral-tracking-service'];
    expect(own).not.toHaveProperty('dependencies');
    expect(own).not.toHaveProperty('optionalDependencies');
  });

  it('lists the license of every package whose code it contains', async () => {
    const installed = join(project, 'node_modules/referral-tracking-service/dist/package');
    const [code, licenses] = await Promise.all(
      ['affitor.js', 'THIRD-PARTY-LICENSES.txt'].map((file) => readFile(join(installed, file), 'utf8')),
    );
    // esbuild writes each module's path above its code.
    const used = new Set(
      code!
        .match(/^ *\/\/ .*node_modules\/(?:@[^/\n]+\/)?[^/\n]+/gm)
        ?.map((line) => line.replace(/^.*node_modules\//, '')),
    );
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((name) => !licenses!.includes(`${name} `))).toEqual([]);
  });
});

async function readmeExample(): Promise<string> {
  const [, example] = /^```js\n(.*?)^```$/ms.exec(await readFile('lib/apps/client/README.md', 'utf8')) ?? [];
  return example!;
}

const strict = [
  '--target',
  'es2022',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--skipLibCheck',
  'false',
  '--noEmit',
];
const checked = (words: readonly string[], ...files: readonly string[]) =>
  run(process.execPath, [typescript, ...strict, ...words, ...files], { cwd: project });

/** Writes the README's example, and the same for files that use `require`. */
async function writeRequired(): Promise<void> {
  await writeFile(join(project, 'readme.ts'), await readmeExample());
  const required = `
    import library = require('referral-tracking-service');
    import testing = require('referral-tracking-service/testing');
    const shop: testing.Referrals = new library.ReferralClient({ apiKey: process.env.KEY, baseUrl: 'https://referrals.test' });
    const mock: testing.Referrals = testing.createMockReferrals();
    export = { shop, mock };
  `;
  await writeFile(join(project, 'required.cts'), required);
}

describe('the client in the npm package', () => {
  it('can also be installed from the service’s URL', async () => {
    const reply = await fetch(`${local.run.base_url}/client.tgz`);
    expect({ status: reply.status, type: reply.headers.get('Content-Type') }).toEqual({
      status: 200,
      type: 'application/gzip',
    });
    const served = new Uint8Array(await reply.arrayBuffer());
    expect(Buffer.compare(served, await readFile(tarball))).toBe(0);
  });

  it.each(['', '/testing', '/tracker'])(
    'can be loaded with require as well as import: referral-tracking-service%s',
    async (path) => {
      const name = `referral-tracking-service${path}`;
      await writeFile(join(project, 'required.cjs'), `console.log(Object.keys(require('${name}')).toSorted().join());`);
      await writeFile(
        join(project, 'imported.js'),
        `console.log(Object.keys(await import('${name}')).toSorted().join());`,
      );
      // As in Node before 22, modules cannot be required here.
      const required = await inProject('node', [...(await withoutRequiredModules()), 'required.cjs']);
      expect(required.stdout).toBe((await inProject('node', ['imported.js'])).stdout);
      expect(required.stdout.length).toBeGreaterThan(5);
    },
  );

  it('runs the README’s example under the machine’s own Node', async () => {
    const example = await readmeExample();
    await writeFile(join(project, 'sale.js'), example.replace('http://127.0.0.1:8787', local.run.base_url));
    const { stdout } = await inProject('node', ['sale.js']);
    const commissionId = Number(stdout);
    expect(commissionId).toBeGreaterThan(0);
  });

  it('has types that need no other package, for CommonJS, ES modules and browsers', async () => {
    const text = `
      import { clickIdFrom, type Lead, ReferralClient, ReferralError, type Sale, verifyWebhook } from 'referral-tracking-service';
      const client = new ReferralClient({ apiKey: 'aff_1_key', baseUrl: 'https://referrals.test', fetch, timeoutMs: 5_000 });
      const clickId = clickIdFrom({ headers: {} });
      const lead: Lead = { customerId: 'user_1', clickId, additionalData: { plan: 'pro' } };
      await client.trackLead(lead);
      const payment: Sale = { customerId: 'user_1', clickId, amount: 4900, invoiceId: 'in_1' };
      const sale = await client.trackSale(payment);
      const saleId: number | null = sale.duplicate ? sale.sale_id : (sale.commission_id ?? null);
      const event = verifyWebhook('{}', new Headers(), ['whsec_a', 'whsec_b'], { toleranceSeconds: 60, now: new Date() });
      const amount: number | undefined = event.type === 'sale.recorded' ? event.data.amount_cents : undefined;
      const rotateBy: string | undefined = event.type === 'key.rotation_due' ? event.data.rotate_by : undefined;
      const isTest: boolean = event.data.is_test;
      // @ts-expect-error There is no such type.
      if (event.type === 'sale.sold') console.log(amount, rotateBy, isTest);
      const { outcome } = await client.trackStripeEvent({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: {} } });
      // @ts-expect-error A thin event has no object.
      client.trackStripeEvent({ id: outcome, type: 'v1.billing.meter.error_report_triggered', created: 1 });
      // @ts-expect-error A sale needs its invoice.
      client.trackSale({ customerId: 'user_1', amount: saleId ?? 1 });
      // @ts-expect-error A repeated sale has no commission.
      if (sale.duplicate) sale.commission_id;
      try {
        const { state, blocker } = await client.readiness({ forceRecheck: true });
        if (state === 'ready' && blocker === 'live') throw new Error('Not yet');
      } catch (error) {
        if (error instanceof ReferralError) error.requestId?.toUpperCase();
      }
    `;
    const page = `
      import { createTracker, type TrackerOptions } from 'referral-tracking-service/tracker';
      const options: TrackerOptions = { programId: 7, apiBase: 'https://referrals.test' };
      const clickId: string | null = createTracker(options).getClickId();
      // @ts-expect-error There is no such option.
      createTracker({ programID: 7 });
      createTracker(options).signup(clickId ?? 'user_1', 'jo@customers.test');
    `;
    await Promise.all([writeFile(join(project, 'sale.ts'), text), writeFile(join(project, 'page.ts'), page)]);
    const inBrowsers = ['--module', 'nodenext', '--lib', 'es2022,dom', '--types', ''];
    await expect(checked(inBrowsers, 'sale.ts', 'page.ts')).resolves.toMatchObject({ stdout: '' });
    // TypeScript separates both kinds of modules like Node 20.
    const inNode = ['--module', 'node16', '--lib', 'es2022', '--typeRoots', types, '--types', 'node'];
    await writeRequired();
    await expect(checked(inNode, 'sale.ts', 'readme.ts', 'required.cts')).resolves.toMatchObject({ stdout: '' });
  });
});

describe('the recipes of the client’s guides, copied into a shop:', () => {
  let recipes: string;
  beforeAll(async () => {
    recipes = join(project, 'recipes');
    await cp(resolve('lib/apps/client/recipes'), recipes, { recursive: true });
  });

  /** Runs a shop's script next to the recipes. @returns its output as JSON */
  async function inShop(script: string): Promise<unknown> {
    await writeFile(
      join(recipes, 'shop.js'),
      `import { createMockReferrals } from 'referral-tracking-service/testing';\n${script}`,
    );
    const { stdout } = await inProject('node', [join(recipes, 'shop.js')]);
    return JSON.parse(stdout);
  }

  // The parts of each framework that the recipe uses.
  const signups = {
    express: `
      import { addSignup } from './express.js';
      async function signUp(shop, headers, body) {
        let handler, status;
        addSignup({ post: (path, added) => (handler = added) }, shop);
        const response = { status: (code) => ((status = code), response), json: (sent) => (response.sent = sent) };
        await handler({ headers, body }, response);
        return { status, body: response.sent };
      }`,
    fastify: `
      import { addSignup } from './fastify.js';
      async function signUp(shop, headers, body) {
        let handler, status;
        addSignup({ post: (path, added) => (handler = added) }, shop);
        const reply = { code: (code) => ((status = code), reply), send: (sent) => sent };
        return { body: await handler({ headers, body }, reply), status };
      }`,
    'next-route': `
      import { signupRoute } from './next-route.js';
      async function signUp(shop, headers, body) {
        const request = new Request('https://shop.test/signup', { method: 'POST', headers, body: new URLSearchParams(body) });
        const response = await signupRoute(shop)(request);
        return { status: response.status, body: await response.json() };
      }`,
  };

  it.each(Object.entries(signups))(
    'the recipe %s stores the click id from the form, or else from the cookie, with the new user, and starts to send leads',
    async (_, signUp) => {
      const printed = await inShop(`${signUp}
      const stored = [];
      const createUser = async (form) => (stored.push(form), { id: 'user_1' });
      let runs = 0;
      const shop = { createUser, sendLeads: () => (runs += 1) };
      const cookie = 'service_click_id=clk_cookie';
      const email = 'jo@example.com';
      const replies = [
        await signUp(shop, { cookie }, { email, service_click_id: 'clk_field' }),
        await signUp(shop, { cookie }, { email }),
        await signUp(shop, {}, { email }),
      ];
      console.log(JSON.stringify({ replies, runs, clickIds: stored.map(({ clickId }) => clickId ?? null), emails: stored.map(({ email }) => email) }));
    `);
      expect(printed).toEqual({
        replies: Array.from({ length: 3 }, () => ({ status: 201, body: { id: 'user_1' } })),
        runs: 3,
        clickIds: ['clk_field', 'clk_cookie', null],
        emails: Array.from({ length: 3 }, () => 'jo@example.com'),
      });
    },
  );

  it('the recipe stripe-webhook forwards every event, and lets Stripe retry after temporary failures', async () => {
    const printed = await inShop(`
      import { AuthenticationError, ServerError, ValidationError } from 'referral-tracking-service';
      import { onStripeEvent } from './stripe-webhook.js';
      const event = { id: 'evt_1', type: 'invoice.paid', created: 1795186800, data: { object: { id: 'in_1' } } };
      const reported = [];
      const report = (error) => reported.push(error.reason);
      const referrals = createMockReferrals();
      const answered = [await onStripeEvent({ referrals, report })(event)];
      const failures = [
        new ValidationError('', { status: 400, reason: 'event_incomplete' }),
        new AuthenticationError('replaced', { status: 401 }),
        new ServerError('away', { status: 500 }),
        new TypeError('failed'),
      ];
      for (const error of failures) {
        const trackStripeEvent = () => { throw error; };
        const told = onStripeEvent({ referrals: createMockReferrals({ trackStripeEvent }), report })(event);
        answered.push(await told.then(() => 'resolved', ({ message }) => message));
      }
      console.log(JSON.stringify({ calls: referrals.calls, reported, answered: answered.slice(1) }));
    `);
    const event = { id: 'evt_1', type: 'invoice.paid', created: 1_795_186_800, data: { object: { id: 'in_1' } } };
    expect(printed).toEqual({
      calls: [{ method: 'trackStripeEvent', argument: event }],
      reported: ['event_incomplete'],
      answered: ['resolved', 'replaced', 'away', 'failed'],
    });
  });

  // The parts of each framework that the recipe uses. Each answers with the status of one request.
  const webhooks = {
    express: `
      import { addWebhook } from './webhook-express.js';
      // Imitates Express's behaviour with an unparsed body.
      const express = { raw: ({ type }) => (request, next) => {
        if (request.headers['content-type'] === type) request.body = Buffer.from(request.bytes);
        return next();
      } };
      async function receive(shop, headers, body) {
        let read, handler, status;
        addWebhook({ post: (path, ...added) => ([read, handler] = added) }, { express, ...shop });
        const request = { headers, bytes: body };
        await read(request, () => handler(request, { sendStatus: (code) => (status = code) }));
        return status;
      }`,
    lambda: `
      import { webhookHandler } from './webhook-lambda.js';
      async function receive(shop, headers, body) {
        const plain = await webhookHandler(shop)({ headers, body, isBase64Encoded: false });
        const encoded = await webhookHandler(shop)({ headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true });
        if (encoded.statusCode !== plain.statusCode) throw new Error('Base64 is answered ' + encoded.statusCode);
        return plain.statusCode;
      }`,
    'next-route': `
      import { webhookRoute } from './webhook-next-route.js';
      const receive = async (shop, headers, body) =>
        (await webhookRoute(shop)(new Request('https://shop.test/hooks', { method: 'POST', headers, body }))).status;`,
  };

  it.each(Object.entries(webhooks))(
    'the recipe webhook-%s processes an event once, and refuses invalid events',
    async (_, receiver) => {
      const printed = await inShop(`${receiver}
      import { createHmac } from 'node:crypto';
      const bytes = Buffer.alloc(32, 7);
      const secret = 'whsec_' + bytes.toString('base64');
      const body = JSON.stringify({ type: 'sale.recorded', timestamp: '2026-11-22T10:00:00.000Z', data: { amount_cents: 4900, partner_name: 'Zoë' } });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = 'v1,' + createHmac('sha256', bytes).update('evt_1.' + timestamp + '.' + body).digest('base64');
      const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      const known = new Map();
      const handle = async (event) => known.set(event.id, event);
      const away = async () => { throw new Error('away'); };
      const reported = new Set();
      const report = (error) => reported.add(error.reason ?? error.message);
      const statuses = [
        await receive({ secret, handle, report }, headers, body),
        await receive({ secret, handle, report }, headers, body),
        await receive({ secret, handle, report }, headers, body + ' '),
        await receive({ secret, handle, report }, { 'content-type': 'application/json' }, body),
        await receive({ secret: undefined, handle, report }, headers, body),
        await receive({ secret, handle: away, report }, headers, body),
      ];
      console.log(JSON.stringify({ statuses, events: [...known.values()], reported: [...reported] }));
    `);
      expect(printed).toEqual({
        statuses: [204, 204, 400, 400, 400, 500],
        events: [
          {
            id: 'evt_1',
            type: 'sale.recorded',
            timestamp: '2026-11-22T10:00:00.000Z',
            data: { amount_cents: 4900, partner_name: 'Zoë' },
          },
        ],
        reported: ['no_matching_signature', 'missing_headers', 'invalid_secret', 'away'],
      });
    },
  );

  it('the recipe first-party-proxy serves only the tracker and its calls under the shop’s domain', async () => {
    const printed = await inShop(`
      import { trackingProxy } from './first-party-proxy.js';
      const proxy = trackingProxy({ baseUrl: '${local.run.base_url}', secret: 'secret-of-the-proxy' });
      const at = (path) => 'https://shop.test' + path;
      const script = await proxy(new Request(at('/js/tracker.js')), '203.0.113.7');
      const links = await proxy(new Request(at('/js/payment-links.js')), '203.0.113.7');
      const body = JSON.stringify({ affiliate_url: 'https://acme.test/?aff=ana' });
      const click = await proxy(new Request(at('/api/v1/track/click'), { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }), '203.0.113.7');
      const other = await proxy(new Request(at('/api/v1/track/sale'), { method: 'POST', body: '{}' }), '203.0.113.7');
      console.log(JSON.stringify({
        script: [script.status, script.headers.get('Content-Type')],
        links: [links.status, links.headers.get('Content-Type')],
        click: [click.status, Object.keys(await click.json())],
        other: other.status,
      }));
    `);
    expect(printed).toEqual({
      script: [200, 'text/javascript; charset=utf-8'],
      links: [200, 'text/javascript; charset=utf-8'],
      click: [200, ['success', 'click_id', 'partner_code', 'cookie_window_days']],
      other: 404,
    });
  });
});

describe('the tracker in the npm package', () => {
  it('can be imported during server rendering, where it has no visitor and sends nothing', async () => {
    const text = `
      import { createTracker } from 'referral-tracking-service/tracker';
      console.log(JSON.stringify(createTracker({ programId: 7, apiBase: 'https://referrals.test' }).getData()));
    `;
    await writeFile(join(project, 'page.js'), text);
    const { stdout } = await inProject('node', ['page.js']);
    expect(JSON.parse(stdout)).toEqual({ clickId: null, programId: 7, hasAttribution: false, affiliateUrl: null });
  });
});

describe('the command affitor in the npm package', () => {
  it('is installed as an executable', async () => {
    const { mode } = await stat(affitor());
    expect(mode & 0o111).toBe(0o111);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await inProject(affitor(), ['--version'])).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  it('calls the service', async () => {
    const { stdout } = await inProject(affitor(), ['status', '--json', '--api-url', local.run.base_url]);
    expect(JSON.parse(stdout)).toMatchObject({ program_id: 1, name: 'Acme Pro' });
  });
});

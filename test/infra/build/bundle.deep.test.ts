import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundle, bundledFunctions as names } from '#infra/build/bundle.ts';
import { type DeployedFunction, deployedFunctions } from '#infra/deployed-functions.ts';
import { canary } from '#infra/routes.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { problemsOf, resultOf, smoke } from '#test/smoke/smoke-process.ts';
import { openIssuer } from '#test/support/callers/logins/issuer.ts';
import { changeProgram, clicked } from '#test/support/payments/lives/journeys.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { paid, saleOf, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { openProcessor, PLATFORM_SECRET, RECEIVED, signed } from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

openProcessor();
const stripe = await openStripe();

/**
 * Limit of tracking functions, for which visitors wait. `npm run bench` shows the effect of the size on cold starts.
 */
const MOST_BYTES_OF_TRACKING = 282_000;
/**
 * Limit of the sale function. It searches for the same payment by other ids, decides on renewal, applies waiting
 * refunds, moves those of a record that an event connects, adds a repeated call's ids and reports misspelt fields. A
 * brand's server waits for it, not a visitor.
 */
const MOST_BYTES_OF_SALES = 316_000;
/** Limit of functions that record a Stripe payment that was forwarded or waited. No visitor waits for them. */
const MOST_BYTES_OF_PAYMENTS = 346_000;
/** Limit of functions for developers, dashboard users, agents and the stream's consumer. */
const MOST_BYTES = 325_000;
/**
 * Limit of functions with the SES, SQS or KMS clients and the API's reply mappers. They also settle commissions with
 * tiers when a month is counted, and continue payouts and erasures. Mails and webhooks are not time-critical.
 */
const MOST_BYTES_WITH_SES = 437_000;
/**
 * Limit of functions with Stripe's client, which is half of it. They also record payments, misspelt metadata and other
 * programs' payments. Webhooks are not time-critical, and a user waits once for Stripe's pages.
 */
const MOST_BYTES_WITH_STRIPE = 598_000;
/** Limit of functions with S3's client, which is a third of it, and some with that of KMS. A user waits for a file that takes seconds to read. */
const MOST_BYTES_WITH_S3 = 457_000;
/**
 * Limit of functions with the public suffix list, which is a third of it. Only these rarely used functions validate a
 * program's origins, or share code with one that does. One of them also compares concurrent changes.
 */
const MOST_BYTES_WITH_SUFFIXES = 424_000;
/** Limit of the schedule, which sends mails and records payments. */
const MOST_BYTES_OF_SCHEDULE = 512_000;
const named = (wanted: (deployed: DeployedFunction) => boolean) =>
  new Set(deployedFunctions.filter(wanted).map(({ name }) => name));
const signIn = named(({ uses }) => uses.includes('signIn'));
/** The sender decrypts its signing secrets. */
const vault = named(({ uses }) => uses.some((use) => /^(seal|open)/.test(use))).add('queue/deliver');
const exporting = named(({ uses }) => uses.includes('exports'));
const secretStore = named(({ uses }) => uses.includes('platformSecrets')).union(new Set([canary.function]));
const withSuffixes = new Set([
  'cli/init',
  'dashboard/programs/post',
  'dashboard/program/patch',
  'dashboard/terms/preview',
  'agent/program/patch',
]);
/** Functions that check e-mail domains with lists in a separate file. */
const withLists = new Set([
  'cli/test-event',
  'dashboard/code/patch',
  'dashboard/codes/post',
  'dashboard/processor/retry',
  'dashboard/rules/get',
  'dashboard/verification/post',
  'partner/join/post',
  'schedule/outbox',
  'track/lead',
  'track/sale',
  'track/stripe',
  'webhooks/stripe/platform',
  'webhooks/stripe/program',
]);
/** Functions that verify Stripe's signatures, or call Stripe. */
const withStripe = named(({ name, uses }) => name.startsWith('webhooks/') || uses.includes('platformSecrets'));

/** Functions that record Stripe payments without Stripe's client. */
const recording = new Set([
  'track/stripe',
  'dashboard/code/patch',
  'dashboard/codes/post',
  'dashboard/processor/retry',
]);

const sending = new Set(['stream/outbox', 'schedule/outbox', 'queue/deliver']);

function mostBytesOf(name: string): number {
  if (name === 'schedule/outbox') return MOST_BYTES_OF_SCHEDULE;
  if (sending.has(name)) return MOST_BYTES_WITH_SES;
  if (name === 'track/sale') return MOST_BYTES_OF_SALES;
  if (recording.has(name)) return MOST_BYTES_OF_PAYMENTS;
  if (name.startsWith('track/')) return MOST_BYTES_OF_TRACKING;
  if (exporting.has(name)) return MOST_BYTES_WITH_S3;
  if (withSuffixes.has(name)) return MOST_BYTES_WITH_SUFFIXES;
  return withStripe.has(name) ? MOST_BYTES_WITH_STRIPE : MOST_BYTES;
}

/** Folder in which all functions are bundled already, as in CI. */
const { BUNDLE_FOLDER } = process.env;
let folder: string;

const createHandler = async (name: string): Promise<Handler> => (await import(join(folder, name, 'index.mjs'))).handler;
const codeOf = (name: string) => readFile(join(folder, name, 'index.mjs'), 'utf8');

const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Every module in each bundle, by its source map. */
const modules = new Map<string, readonly string[]>();

const modulesIn = (name: string, part: string) => modules.get(name)!.filter((module) => module.includes(part));

async function sourcesOf(name: string): Promise<string[]> {
  const map: { sources: string[] } = JSON.parse(await readFile(join(folder, name, 'index.mjs.map'), 'utf8'));
  return map.sources;
}

beforeAll(async () => {
  folder = BUNDLE_FOLDER ?? (await mkdtemp(join(tmpdir(), 'bundle-')));
  if (BUNDLE_FOLDER === undefined) await bundle(folder);
  for (const name of names) modules.set(name, await sourcesOf(name));
});

afterEach(() => vi.unstubAllEnvs());
afterAll(() => (BUNDLE_FOLDER === undefined ? rm(folder, { recursive: true }) : undefined));

describe.each(names)('the bundle of the function %s', (name) => {
  const signsIn = signIn.has(name);
  const mostBytes = mostBytesOf(name);

  it(`is one module of at most ${mostBytes} bytes that exports the handler`, async () => {
    const code = await codeOf(name);
    expect(code.length).toBeLessThanOrEqual(mostBytes);
    expect(code.slice(code.lastIndexOf('export'))).toMatch(/as handler\b/);
  });

  it('loads Node’s modules directly, and none of the SDK’s credential providers', async () => {
    expect(modules.get(name)).toContain('builtin:node:http');
    expect(/\bimport\s*(?:\{[^{}"]*\}|\* as [\w$]+|[\w$]+)\s*from\s*"[^"]+"/.exec(await codeOf(name))).toBeNull();
    expect(modulesIn(name, '/credential-provider-')).toEqual([]);
  });

  it(`has ${signsIn ? 'the JWT library, because it signs people in' : 'no JWT library'}`, () => {
    expect(modulesIn(name, '/node_modules/jose/').length > 0).toBe(signsIn);
  });

  it.each([
    ['Stripe’s client', '/node_modules/stripe/', withStripe],
    ['the KMS client', '/client-kms/', vault],
    ['the public suffix list', '/node_modules/tldts/', withSuffixes],
    ['the secret store client', '/client-secrets-manager/', secretStore],
    ['the mail domain lists', '/node_modules/email-providers/', new Set<string>()],
    ['the disposable domain list', '/node_modules/disposable-email-domains-js/', new Set<string>()],
    ['the bot list', '/node_modules/isbot/', new Set(['track/click'])],
    ['the library of colors', '/node_modules/culori/', new Set(['dashboard/brand/patch'])],
  ])('contains %s only if the function uses it', (_, part, wanted) => {
    expect(modulesIn(name, part).length > 0).toBe(wanted.has(name));
  });

  it('contains no code for event streams, which DynamoDB does not use', () => {
    expect(modulesIn(name, '/event-streams/')).toEqual([]);
  });

  it('has its source map beside it, and the lists of mail domains if it reads them', async () => {
    const files = await readdir(join(folder, name));
    const lists = withLists.has(name) ? ['mail-domains.mjs'] : [];
    expect(files.toSorted()).toEqual(['index.mjs', 'index.mjs.map', ...lists]);
    expect((await codeOf(name)).includes('sourceMappingURL')).toBe(false);
  });
});

it('a bundle is the same byte for byte, whichever other functions are bundled with it', async () => {
  // One function of each kind, because bundling all of them takes half a minute of CPU time.
  const some = ['track/sale', 'webhooks/stripe/program', 'dashboard/commissions/export', 'queue/deliver', 'not-found'];
  // The folder is beside the other one, because source maps name sources relative to it.
  const again = await mkdtemp(join(dirname(folder), 'bundle-'));
  await bundle(again, some);
  const files = async (of: string) =>
    Promise.all(
      some.map(async (name) => {
        const inside = (await readdir(join(of, name))).toSorted();
        return [name, inside, ...(await Promise.all(inside.map((file) => hashOf(join(of, name, file)))))];
      }),
    );
  expect(await files(again)).toEqual(await files(folder));
  await rm(again, { recursive: true });
});

it('a local run of the bundles instead of the sources passes the smoke test', async () => {
  const local = await startLocal(folder, { FUNCTIONS: folder });
  const { base_url, demo } = local.run;
  const ended = await smoke(['--base-url', base_url, '--api-key', demo!.program_api_key, '--json']);
  await local.end();
  const result = resultOf(ended);
  expect(problemsOf(result)).toEqual([]);
  expect([ended.code, result.checks.length > 30]).toEqual([0, true]);
});

describe('bundled functions, called over a local database engine,', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });

  it('turn a click into a lead, a sale and a refund', async () => {
    signCalls();
    const { affiliateUrl, key } = await world.brand();
    const click = await send(await createHandler('track/click'), { body: { affiliate_url: affiliateUrl } });
    const lead = await send(await createHandler('track/lead'), {
      key,
      body: { click_id: click.body.click_id, customer_key: 'u1' },
    });
    const sale = await send(await createHandler('track/sale'), {
      key,
      body: { transaction_id: 't1', amount_cents: 4900, customer_key: 'u1' },
    });
    const refund = await send(await createHandler('track/refund'), { key, body: { transaction_id: 't1' } });
    expect([click, lead, sale, refund].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('hold a sale for review if its mail domain is on a list, and record the sale normally if the list cannot be read', async () => {
    signCalls();
    const brand = await world.brand();
    await changeProgram(world, brand, { rules: { disposable_email: 'hold' } });
    const sell = async (transaction_id: string, sale: Handler) => {
      const clickId = await clicked(brand);
      const body = { click_id: clickId, customer_key: transaction_id, email: 'bob@mailinator.com' };
      await send(await createHandler('track/lead'), { key: brand.key, body });
      const reply = await send(sale, {
        key: brand.key,
        body: { transaction_id, amount_cents: 4900, customer_key: transaction_id },
      });
      return [reply.status, (await saleItems(world, transaction_id)).commission?.status];
    };
    expect(await sell('with lists', await createHandler('track/sale'))).toEqual([200, 'held']);
    const alone = join(folder, 'alone');
    await mkdir(alone);
    await copyFile(join(folder, 'track/sale', 'index.mjs'), join(alone, 'index.mjs'));
    expect(await sell('without lists', await createHandler('alone'))).toEqual([200, 'pending']);
    await rm(alone, { recursive: true });
  });

  it('let a person sign in', async () => {
    const issuer = await openIssuer();
    const body = { id_token: await issuer.idToken({ email: 'jane@people.test' }) };
    const reply = await send(await createHandler('dashboard/session/post'), { body });
    expect(reply).toMatchObject({ status: 200, body: { data: { account: { email: 'jane@people.test' } } } });
  });

  it('connect a brand’s Stripe account, and record a payment as a sale', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    stripe.letIn('acct_1');
    const pathParameters = { id: String(brand.program.id) };
    const { body } = await send(await createHandler('dashboard/processor/connect'), { key: token, pathParameters });
    const state = new URL(body.data.url).searchParams.get('state')!;
    const returned = await send(await createHandler('dashboard/processor/callback'), {
      query: { state, code: 'ac_1' },
      cookies: [`service_connect=${state}`],
    });
    expect(returned.headers.Location).toMatch(/processor=connected$/);

    const put = { key: token, pathParameters, body: { signing_secret: 'whsec_brand' } };
    expect((await send(await createHandler('dashboard/processor/put'), put)).status).toBe(200);
    const { clickId, id, metadata } = await visitorOf(brand);
    const event = { ...paid(id, { metadata }), account: 'acct_1' };
    const [platform, direct] = await Promise.all(
      ['platform', 'program'].map((name) => createHandler(`webhooks/stripe/${name}`)),
    );
    expect(await send(platform!, signed(event, PLATFORM_SECRET))).toEqual(RECEIVED);
    const ofProgram = { ...signed(event, 'whsec_brand'), pathParameters: { program_id: String(brand.program.id) } };
    expect(await send(direct!, ofProgram)).toEqual(RECEIVED);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId } });
  });

  it('answer a preflight request, and reply 404 to an unknown path', async () => {
    const preflight = await send(await createHandler('track/preflight'), {
      method: 'OPTIONS',
      path: '/api/v1/track/click',
    });
    const unknown = await send(await createHandler('not-found'), { path: '/api/v1/nothing' });
    expect([preflight.status, unknown.status]).toEqual([204, 404]);
  });
});

function signCalls(): void {
  // The functions sign their calls with Lambda's credentials only for this name of the same address.
  vi.stubEnv('DYNAMODB_ENDPOINT', process.env.DYNAMODB_ENDPOINT?.replace('127.0.0.1', '0.0.0.0'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
}

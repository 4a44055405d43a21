import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { failToStart, startLocal } from '#test/infra/local/run/local-process.ts';
import { checkoutSession, signed, stripeEvent } from '#test/support/stripe/stripe.ts';

let folder: string;
let dataDir: string;
/** The run with persistent data before it was killed. */
let first: Awaited<ReturnType<typeof startLocal>>;
let local: typeof first;

const start = () => startLocal(folder, { DATA_DIR: dataDir });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-data-'));
  dataDir = join(folder, 'new', 'data');
  first = await start();
  local = first;
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

async function ask(method: string, path: string, token?: string, body?: unknown) {
  const response = await fetch(`${local.run.base_url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  // oxlint-disable-next-line typescript/no-explicit-any -- each step knows the shape of its reply
  return (await response.json()) as any;
}

const clickOnce = async (): Promise<string> =>
  (await ask('POST', '/api/v1/track/click', undefined, { affiliate_url: 'https://acme.test/?aff=ana' })).click_id;

/** Waits up to a second for this many clicks of the link. @returns the last number read */
/** The clicks of the link once it has this many, or after a time that only a broken counter needs. */
async function clicksCounted(awaited: number): Promise<number> {
  const { dynamodb_endpoint: dynamodbEndpoint, table_name: name } = local.run;
  const table = new Table(documentClient({ dynamodbEndpoint, region: 'us-east-1' }), name, new Date());
  const counted = async () => {
    table.forget();
    return (await countsOf(table, { of: 'link', shortLink: 'ana' })).clicks;
  };
  await expect.poll(counted).toBe(awaited);
  return counted();
}

const program = '/api/dashboard/v1/programs/1';
let session: { readonly token: string };
let clickId: string;

/** Sends a payment as Stripe does, signed at the service's time. */
async function paid(id: string, secret: string): Promise<unknown> {
  const { now } = await ask('GET', '/local/clock');
  const checkout = checkoutSession(id, { metadata: { service_click_id: clickId } });
  const event = stripeEvent('checkout.session.completed', checkout, { at: new Date() });
  const { body, headers } = signed(event, secret, new Date(now));
  const url = `${local.run.base_url}/api/v1/webhooks/stripe/1`;
  const response = await fetch(url, { method: 'POST', body: body as string, headers });
  return { status: response.status, body: await response.json() };
}
const received = { status: 200, body: { received: true } };

it('the file with the vault’s key has 32 random bytes, can be read by its owner only and does not change', async () => {
  const [file, other] = [join(folder, 'deep', 'vault-key.json'), join(folder, 'other.json')];
  await Promise.all([file, other].map(ensureVaultKey));
  const text = await readFile(file, 'utf8');
  expect(Buffer.from(JSON.parse(text).key, 'base64')).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(other, 'utf8')).not.toBe(text);
  await ensureVaultKey(file);
  expect(await readFile(file, 'utf8')).toBe(text);
});

describe('a local run that stores its data in a folder', () => {
  it('counts each click', async () => {
    for (const clicks of [1, 2, 3]) {
      clickId = await clickOnce();
      expect(await clicksCounted(clicks)).toBe(clicks);
    }
  });

  it('records payments that Stripe reports over HTTP', async () => {
    const { id_token } = await ask('POST', '/local/oidc/token', undefined, { email: 'owner@acme.test' });
    session = (await ask('POST', '/api/dashboard/v1/session', undefined, { id_token })).data;
    const body = { signing_secret: 'whsec_demo' };
    const { data } = await ask('PUT', `${program}/processor`, session.token, body);
    expect(data.webhook_url).toBe(`${local.run.base_url}/api/v1/webhooks/stripe/1`);
    expect(await paid('1', 'whsec_demo')).toEqual(received);
  });

  it('refuses a second run with the same folder, and lets only the owner of the files read key and secrets', async () => {
    expect(await failToStart(folder, { DATA_DIR: dataDir })).toEqual({
      code: 1,
      said: `DATA_DIR ${dataDir} is used by another run. End that one, or choose another folder.\n`,
    });
    expect(JSON.parse(await readFile(join(folder, '.local', 'run.json'), 'utf8'))).toEqual(first.run);
    for (const file of ['demo.json', 'vault-key.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('has the same ids, keys and demo after a crash', async () => {
    // This click may or may not be counted before the crash.
    await clickOnce();
    await first.end('SIGKILL');
    local = await start();
    expect(local.run.demo).toEqual(first.run.demo);
  });

  it('counts, after a crash, each click once that the crashed run had not counted', async () => {
    expect(await clicksCounted(4)).toBe(4);
    await clickOnce();
    expect(await clicksCounted(5)).toBe(5);
  });

  it('can decrypt the stored secrets after a crash', async () => {
    expect(await paid('2', 'whsec_demo')).toEqual(received);
    expect(await paid('3', 'whsec_other')).toMatchObject({ status: 400 });
    for (const id of ['cs_1', 'cs_2']) {
      expect((await ask('GET', `${program}/sales/${id}`, session.token)).data.attribution).toMatchObject({
        resolved_by: 'click_id',
        partner: { name: 'Ana' },
      });
    }
  });
});

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { checkoutSession, signed, stripeEvent } from '#test/support/stripe/stripe.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-processor-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the vault’s key file', () => {
  it('holds 32 bytes by chance, for its owner alone, and stays as it is', async () => {
    const [file, other] = [join(folder, 'deep', 'vault-key.json'), join(folder, 'other.json')];
    await Promise.all([file, other].map(ensureVaultKey));
    const text = await readFile(file, 'utf8');
    expect(Buffer.from(JSON.parse(text).key, 'base64')).toHaveLength(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(other, 'utf8')).not.toBe(text);
    await ensureVaultKey(file);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

type Local = Awaited<ReturnType<typeof startLocal>>;

async function ask({ run }: Local, method: string, path: string, token?: string, body?: unknown) {
  const response = await fetch(`${run.base_url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  // oxlint-disable-next-line typescript/no-explicit-any -- each step knows the shape of its reply
  return (await response.json()) as any;
}

/** Sends an event as Stripe does, signed at the service's time. */
async function told({ run }: Local, secret: string, event: object): Promise<unknown> {
  const { now } = (await (await fetch(`${run.base_url}/local/clock`)).json()) as { now: string };
  const { body, headers } = signed(event, secret, new Date(now));
  const url = `${run.base_url}/api/v1/webhooks/stripe/${run.demo!.program_id}`;
  const response = await fetch(url, { method: 'POST', body: body as string, headers });
  return { status: response.status, body: await response.json() };
}

describe('a run that keeps its data', () => {
  let local: Local | undefined;
  afterEach(() => local?.end());

  it('takes the processor’s events over HTTP, and opens its secrets again after a restart', async () => {
    const start = () => startLocal(folder, { DATA_DIR: join(folder, 'data') });
    local = await start();
    const { id_token } = await ask(local, 'POST', '/local/oidc/token', undefined, { email: 'owner@acme.test' });
    const { data: session } = await ask(local, 'POST', '/api/dashboard/v1/session', undefined, { id_token });
    const program = `/api/dashboard/v1/programs/${local.run.demo!.program_id}`;
    const body = { signing_secret: 'whsec_demo' };
    const { data } = await ask(local, 'PUT', `${program}/processor`, session.token, body);
    expect(data.webhook_url).toBe(`${local.run.base_url}/api/v1/webhooks/stripe/${local.run.demo!.program_id}`);
    const click = { affiliate_url: 'https://acme.test/?aff=ana' };
    const { click_id } = await ask(local, 'POST', '/api/v1/track/click', undefined, click);
    const metadata = { service_click_id: click_id };
    const payment = (id: string) =>
      stripeEvent('checkout.session.completed', checkoutSession(id, { metadata }), { at: new Date() });
    const received = { status: 200, body: { received: true } };
    expect(await told(local, 'whsec_demo', payment('1'))).toEqual(received);
    expect((await stat(join(folder, 'data', 'vault-key.json'))).mode & 0o777).toBe(0o600);
    await local.end();

    local = await start();
    expect(await told(local, 'whsec_demo', payment('2'))).toEqual(received);
    expect(await told(local, 'whsec_other', payment('3'))).toMatchObject({ status: 400 });
    for (const id of ['cs_1', 'cs_2']) {
      expect((await ask(local, 'GET', `${program}/sales/${id}`, session.token)).data.attribution).toMatchObject({
        resolved_by: 'click_id',
        partner: { name: 'Ana' },
      });
    }
  });
});

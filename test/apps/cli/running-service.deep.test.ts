import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ReferralClient, verifyWebhook } from '#lib/apps/client/referral-client.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { finishLogin } from '#test/support/callers/logins/browser-login.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';
import { openScriptedServer } from '#test/support/servers/scripted-server.ts';

// `affitor` in separate processes, against `npm start`.

const script = resolve('bin/affitor.ts');
let root: string;
let project: string;
let local: Awaited<ReturnType<typeof startLocal>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'affitor-'));
  project = join(root, 'my-saas');
  await mkdir(project);
  local = await startLocal(root);
});
afterAll(async () => {
  await local.end();
  await rm(root, { recursive: true });
});

/** @param heard called with the stderr output while the command runs */
function affitor(words: readonly string[], heard: (text: string) => void = () => {}) {
  return new Promise<{ code: number | null; json: unknown; error: string }>((ended) => {
    const env = { PATH: process.env.PATH, HOME: root, SERVICE_API_URL: local.run.base_url, ...compiledCode };
    const all = [script, ...words, '--json', '--no-interactive'];
    const child = execFile(process.execPath, all, { cwd: project, env }, (_, stdout, error) =>
      ended({ code: child.exitCode, json: JSON.parse(stdout), error }),
    );
    child.stderr?.on('data', heard);
  });
}

/** The owner's dashboard session. */
async function ownerOnPage(): Promise<{ token: string }> {
  const { id_token } = await posted('/local/oidc/token', { email: 'owner@acme.test' });
  return (await posted('/api/dashboard/v1/session', { id_token })).data;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a reply is untyped JSON
async function posted(path: string, body: object): Promise<any> {
  const headers = { 'Content-Type': 'application/json' };
  const reply = await fetch(`${local.run.base_url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

describe('affitor against a running service', () => {
  it('logs in', async () => {
    let said = '';
    let finished: Promise<void> | undefined;
    const ended = await affitor(['login'], (text) => {
      said += text;
      if (said.includes('state=')) finished ??= finishLogin(local.run.base_url, said, 'owner@acme.test');
    });
    await finished;
    expect(ended).toMatchObject({
      code: 0,
      json: { logged_in: true, email: 'owner@acme.test', advertiser_id: local.run.demo?.workspace_id },
    });
  });

  it('prints the user and the programs', async () => {
    expect(await affitor(['whoami'])).toMatchObject({ code: 0, json: { email: 'owner@acme.test' } });
    expect(await affitor(['programs'])).toMatchObject({ code: 0, json: { programs: [{ id: 1, name: 'Acme Pro' }] } });
  });

  it('creates a program, and refuses to create a second one in the same folder', async () => {
    const program = ['--name', 'My SaaS', '--domain', 'https://example.com/', '--commission-type', 'percent'];
    const words = ['init', ...program, '--commission-rate', '20'];
    expect(await affitor(words)).toMatchObject({
      code: 0,
      json: { domain: 'example.com', status: 'created', api_key: null },
    });
    expect(await affitor(words)).toMatchObject({ code: 1, json: { code: 'already_configured' } });
  });

  it('uses the key that an owner put into the env file', async () => {
    const envFile = join(project, '.service', '.env');
    const { program_id } = JSON.parse(await readFile(join(project, '.service', 'config.json'), 'utf8'));
    // The CLI cannot do this, so the owner does it in the dashboard.
    const { token } = await ownerOnPage();
    const page = `${local.run.base_url}/api/dashboard/v1/programs/${program_id}/api-key`;
    const reply = await fetch(page, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    const { data } = (await reply.json()) as { data: { api_key: string } };
    const text = await readFile(envFile, 'utf8');
    await writeFile(envFile, text.replace('SERVICE_API_KEY=', `SERVICE_API_KEY=${data.api_key}`));
    expect(await affitor(['status'])).toMatchObject({ code: 0, json: { program_id, integration_verified: false } });
  });

  it('tests the integration until it is verified', async () => {
    expect(await affitor(['test', 'sale'])).toMatchObject({ code: 0, json: { event_type: 'sale', is_test: true } });
    expect(await affitor(['test', 'chain'])).toMatchObject({ code: 0, json: { attributed: true } });
    expect(await affitor(['status'])).toMatchObject({ code: 0, json: { integration_verified: true } });
  });

  it('prints the service’s message for a wrong key', async () => {
    const { code, json } = await affitor(['status', '--api-key', 'aff_1_nobodys']);
    expect({ code, json }).toEqual({
      code: 1,
      json: {
        error:
          'Invalid API key. Ask a workspace owner to regenerate it in Settings → API Key, then replace the key you are sending. ' +
          'The refused key came from --api-key.',
        status: 401,
      },
    });
  });

  it('forwards events with the ids and bodies that the service’s list of events has', async () => {
    const { base_url: baseUrl, demo } = local.run;
    const receiver = await openScriptedServer();
    receiver.answer(...Array.from({ length: 3 }, () => ({ status: 204, body: '' })));
    const env = { PATH: process.env.PATH, HOME: root, SERVICE_API_URL: baseUrl, ...compiledCode };
    const words = [script, 'listen', '--json', '--program', '1', '--forward', `${receiver.url}/hooks`];
    const events = 'sale.recorded,commission.created';
    const child = spawn(process.execPath, [...words, '--events', events], { cwd: project, env });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const lines = () =>
      said
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await vi.waitFor(() => expect(lines()).toHaveLength(1), 30_000);

    const client = new ReferralClient({ apiKey: demo!.program_api_key, baseUrl });
    const { click_id: clickId } = await client.trackClick({ affiliateUrl: 'https://acme.test/?aff=ana' });
    await client.trackLead({ customerId: 'heard', clickId });
    const sale = await client.trackSale({ customerId: 'heard', amount: 4900, invoiceId: 'in_heard' });
    await vi.waitFor(() => expect(lines()).toHaveLength(3), 30_000);
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    await receiver.close();

    const [started, ...shown] = lines();
    expect({ code, end: shown.pop() }).toEqual({ code: 0, end: { events: 2, delivered: 2 } });
    const received = receiver.requests.map(({ headers, body }) =>
      verifyWebhook(JSON.stringify(body), headers, started.secret),
    );
    expect(shown.map(({ event }) => event)).toEqual(received);
    expect(Object.fromEntries(received.map(({ type, data }) => [type, (data as { id: number }).id]))).toEqual({
      'commission.created': (sale as { commission_id: number }).commission_id,
      'sale.recorded': sale.sale_id,
    });
    const { token } = JSON.parse(await readFile(join(root, '.service', 'credentials.json'), 'utf8'));
    const reply = await fetch(`${baseUrl}/api/dashboard/v1/programs/1/facts?limit=100`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(((await reply.json()) as { data: object[] }).data).toEqual(expect.arrayContaining(received));
  });

  it('logs out and invalidates the token', async () => {
    const { token } = JSON.parse(await readFile(join(root, '.service', 'credentials.json'), 'utf8'));
    expect(await affitor(['logout'])).toMatchObject({ code: 0, json: { logged_in: false } });
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${local.run.base_url}/api/v1/cli/programs`, { headers });
    expect(reply.status).toBe(401);
    expect(await affitor(['whoami'])).toMatchObject({ code: 1, json: { code: 'not_logged_in' } });
  });
});

describe('ReferralClient against a running service', () => {
  it('records a customer’s click, lead, sale and refund for the partner Ana', async () => {
    const { base_url: baseUrl, demo } = local.run;
    const client = new ReferralClient({ apiKey: demo!.program_api_key, baseUrl });
    const { click_id: clickId } = await client.trackClick({ affiliateUrl: 'https://acme.test/?aff=ana' });
    await client.trackLead({ customerId: 'user_1', clickId, email: 'jo@example.com' });
    const payment = { customerId: 'user_1', amount: 4900, invoiceId: 'in_1' };
    const sale = await client.trackSale(payment);
    expect(sale).toMatchObject({ success: true, duplicate: false, attributed: true });
    expect(await client.trackSale(payment)).toEqual({ success: true, duplicate: true, sale_id: sale.sale_id });
    expect(await client.trackRefund({ invoiceId: 'in_1' })).toMatchObject({ status: 'reversed', deduction_cents: 980 });
    expect(await client.readiness()).toMatchObject({ program_id: demo!.program_id, state: 'live_verified' });
  });
});

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocal } from '#test/infra/local/run/local-process.ts';

// Tests the complete flow over HTTP, through `bin/local.ts`: from an e-mail address to a sale.

let folder: string;
let local: Awaited<ReturnType<typeof startLocal>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-run-'));
  local = await startLocal(folder);
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

// oxlint-disable-next-line typescript/no-explicit-any -- each step knows the shape of its reply
type Body = any;

async function ask(method: string, url: string, { key, body }: { key?: string; body?: unknown } = {}) {
  const response = await fetch(new URL(url, local.run.base_url), {
    method,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** @returns the body of a request that succeeds */
async function succeed(...request: Parameters<typeof ask>) {
  const { status, body } = await ask(...request);
  expect({ request: request.slice(0, 2), status, body }).toMatchObject({ status: 200 });
  return body;
}

const idTokenOf = async (email: string): Promise<string> =>
  (await succeed('POST', '/local/oidc/token', { body: { email } })).id_token;
const sessionOf = async (email: string) =>
  (await succeed('POST', '/api/dashboard/v1/session', { body: { id_token: await idTokenOf(email) } })).data;

describe('a person in a local run', () => {
  it('signs in, founds a workspace, logs in to the CLI, creates a program and its key, and records a sale', async () => {
    const { token, workspace } = await sessionOf('jane@saas.test');
    expect(workspace).toBeNull();
    const founded = await succeed('POST', '/api/dashboard/v1/workspace', { key: token, body: { name: 'SaaS' } });

    const login = (await succeed('POST', '/api/v1/cli/auth/start')).data;
    expect(login.auth_url).toBe(`${local.run.base_url}/cli/login?state=${login.state}`);
    expect((await succeed('GET', login.poll_url)).data).toEqual({ status: 'pending' });
    await succeed('POST', '/api/v1/cli/auth/callback', {
      body: { state: login.state, id_token: await idTokenOf('jane@saas.test') },
    });
    const { token: key, ...polled } = (await succeed('GET', login.poll_url)).data;
    expect(polled).toEqual({ status: 'complete', email: 'jane@saas.test', advertiser_id: founded.data.id });
    expect(await ask('GET', login.poll_url)).toMatchObject({ status: 400 });

    const policy = { commission_type: 'percent', commission_rate: 30 };
    const program = { name: 'My SaaS', domain: 'saas.test', ...policy };
    const { program_id: id } = (await succeed('POST', '/api/v1/cli/init', { key, body: program })).data;
    expect((await succeed('GET', '/api/v1/cli/programs', { key })).data).toMatchObject([{ id, commission: '30%' }]);

    const root = `/api/dashboard/v1/programs/${id}`;
    const partner = await succeed('POST', `${root}/partners`, { key: token, body: { name: 'Eve', email: 'e@v.test' } });
    const link = await succeed('POST', `${root}/links`, { key: token, body: { partner_id: partner.data.id } });
    const { api_key: programKey } = (await succeed('POST', `${root}/api-key`, { key: token })).data;

    const click = await succeed('POST', '/api/v1/track/click', { body: { affiliate_url: link.data.url } });
    const payment = { transaction_id: 'in_e2e', amount_cents: 1000, click_id: click.click_id };
    expect(await succeed('POST', '/api/v1/track/sale', { key: programKey, body: payment })).toMatchObject({
      attributed: true,
    });
    expect(await ask('POST', '/api/v1/track/sale', { key, body: payment })).toMatchObject({ status: 401 });
    expect(await ask('GET', '/api/v1/cli/programs', { key: programKey })).toMatchObject({ status: 401 });

    await succeed('DELETE', '/api/dashboard/v1/session', { key });
    expect(await ask('GET', '/api/v1/cli/programs', { key })).toMatchObject({ status: 401 });
    expect(await ask('GET', '/api/dashboard/v1/me', { key: token })).toMatchObject({ status: 200 });
  });

  it('signs in on the page, as a browser does from the dashboard', async () => {
    const verifier = 'v'.repeat(43);
    const request = {
      response_type: 'code',
      client_id: 'service-dashboard',
      redirect_uri: `${local.run.base_url}/signed-in`,
      state: 'here',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const authorize = new URL('/local/oidc/authorize', local.run.base_url);
    const page = await fetch(`${authorize.href}?${new URLSearchParams(request).toString()}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const form = new URLSearchParams({ ...request, email: local.run.demo!.owner_email });
    const { status, headers } = await fetch(authorize, { method: 'POST', body: form, redirect: 'manual' });
    expect(status).toBe(302);
    const back = new URL(headers.get('location')!);
    expect(back.pathname).toBe('/signed-in');
    expect(back.searchParams.get('state')).toBe('here');
    const grant = new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      redirect_uri: request.redirect_uri,
      client_id: request.client_id,
      code_verifier: verifier,
    });
    const response = await fetch(new URL('/local/oidc/token', local.run.base_url), { method: 'POST', body: grant });
    const { id_token: idToken } = (await response.json()) as { id_token: string };
    const session = await succeed('POST', '/api/dashboard/v1/session', { body: { id_token: idToken } });
    expect(session.data.workspace).toEqual({ id: local.run.demo!.workspace_id, name: 'Acme', role: 'owner' });
  });

  it('signs in as owner or member of the demo’s workspace with the addresses that the run prints', async () => {
    const { owner_email: owner, member_email: member } = local.run.demo!;
    expect((await sessionOf(owner)).workspace).toMatchObject({ name: 'Acme', role: 'owner' });
    expect((await sessionOf(member)).workspace).toMatchObject({ name: 'Acme', role: 'member' });
  });
});

const advance = (seconds: number) => succeed('POST', '/local/clock', { body: { advance_seconds: seconds } });

describe('when the clock of a local run is moved forward', () => {
  it('CLI logins, id_tokens and login tokens expire by that clock', async () => {
    const idToken = await idTokenOf('clock@saas.test');
    const { token } = await sessionOf('clock@saas.test');
    const { state, poll_url: pollUrl } = (await succeed('POST', '/api/v1/cli/auth/start')).data;
    await advance(301);
    expect((await succeed('GET', pollUrl)).data).toEqual({ status: 'expired' });
    const late = await ask('POST', '/api/v1/cli/auth/callback', { body: { state, id_token: idToken } });
    expect(late).toMatchObject({ status: 400, body: { error: { message: 'Session expired' } } });
    await advance(360);
    expect(await ask('POST', '/api/dashboard/v1/session', { body: { id_token: idToken } })).toMatchObject({
      status: 401,
      body: { error: { message: 'Invalid or expired id_token' } },
    });
    await advance(90 * 86_400);
    expect(await ask('GET', '/api/dashboard/v1/me', { key: token })).toMatchObject({ status: 401 });
    await succeed('POST', '/local/clock', { body: { reset: true } });
    expect(await ask('GET', '/api/dashboard/v1/me', { key: token })).toMatchObject({ status: 200 });
  });
});

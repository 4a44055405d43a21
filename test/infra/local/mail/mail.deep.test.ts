import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { operated } from '#test/support/callers/operator.ts';

let folder: string;
let local: Awaited<ReturnType<typeof startLocal>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-mail-'));
  local = await startLocal(folder);
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

interface LocalMail {
  readonly to: string;
  readonly subject: string;
  readonly kind: string;
}
const url = (path: string) => `${local.run.base_url}${path}`;
const read = async <T>(reply: Promise<Response>) => (await (await reply).json()) as T;
const inbox = () => read<LocalMail[]>(fetch(url('/local/mail')));
const post = (path: string, body: unknown) => fetch(url(path), { method: 'POST', body: JSON.stringify(body) });

const DAY_SECONDS = 86_400;

it('a local run sends the mails of an operator’s command, later ones once its clock is moved to their day, and lists all', async () => {
  expect(await inbox()).toEqual([]);
  const deadline = new Date(Date.now() + 10 * DAY_SECONDS * 1_000).toISOString();
  const environment = { TABLE_NAME: local.run.table_name, DYNAMODB_ENDPOINT: local.run.dynamodb_endpoint };
  const former = process.env.DYNAMODB_ENDPOINT;
  Object.assign(process.env, environment);
  await operated(
    { tableName: local.run.table_name },
    `key mark-rotation --program 1 --deadline ${deadline}`,
    new Date(),
  );
  Object.assign(process.env, { DYNAMODB_ENDPOINT: former });
  await expect.poll(inbox).toHaveLength(1);
  await post('/local/clock', { advance_seconds: 3 * DAY_SECONDS });
  await expect.poll(inbox).toHaveLength(2);
  const [latest] = await inbox();
  expect(latest).toEqual({
    from: expect.stringMatching(/^[a-z.]+@\S+$/),
    reply_to: null,
    to: 'owner@acme.test',
    subject: `The API key of Acme Pro works until ${deadline.slice(0, 10)}`,
    text: expect.stringContaining(`Replace the key: ${local.run.base_url}/programs/1/settings`),
    html: expect.stringContaining('Replace the key</a>'),
    headers: { 'X-Entity-Ref-ID': expect.stringMatching(/^[0-9a-f]{32}$/) },
    at: expect.any(String),
    kind: 'key_rotation_due',
  });
  const page = await fetch(url('/local/mail'), { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toContain(`<a href="${local.run.base_url}/programs/1/settings">`);
});

it('a local run refuses to send a mail that does not have the form of the service’s mails', async () => {
  const reply = await post('/local/mail/v2/email/outbound-emails', { Content: '<script>' });
  expect([reply.status, await reply.json()]).toMatchObject([
    400,
    { error: { message: 'This is no mail of the service' } },
  ]);
});

it('a local run treats addresses of SES’s mailbox simulator as SES does: bounce, complaint or success', async () => {
  const identity = await read<{ id_token: string }>(post('/local/oidc/token', { email: local.run.demo!.owner_email }));
  const session = await read<{ data: { token: string } }>(post('/api/dashboard/v1/session', identity));
  const headers = { Authorization: `Bearer ${session.data.token}` };
  const partners = url('/api/dashboard/v1/programs/1/partners');
  const invited = async (name: string) => {
    const partner = { name, email: `${name}+label@simulator.amazonses.com`, invite: true };
    await fetch(partners, { method: 'POST', headers, body: JSON.stringify(partner) });
  };
  const states = async (): Promise<Record<string, string>> => {
    const { data } = await read<{ data: { name: string; mail: string }[] }>(
      fetch(`${partners}?status=invited`, { headers }),
    );
    return Object.fromEntries(data.map(({ name, mail }) => [name, mail]));
  };
  for (const name of ['success', 'ooto', 'bounce', 'complaint']) await invited(name);
  await expect
    .poll(states, { timeout: 20_000 })
    .toEqual({ success: 'ok', ooto: 'ok', bounce: 'suppressed', complaint: 'suppressed' });
  expect((await inbox()).filter(({ kind }) => kind === 'partner_invited')).toHaveLength(4);
});

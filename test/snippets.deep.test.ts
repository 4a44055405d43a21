import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instructions } from '#lib/apps/cli/project/instructions.ts';
import * as library from '#lib/apps/client/referral-client.ts';
import { leadSnippets, saleSnippets } from '#lib/apps/dashboard/snippets.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';

// Tests the snippets that developers paste, with the sign-up and the payment of a visitor without a partner, which most
// visitors are.

let folder: string;
let local: Awaited<ReturnType<typeof startLocal>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  local = await startLocal(folder);
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

const AsyncFunction = (async () => undefined).constructor as new (
  ...words: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** The variables of a shop in which a snippet is pasted. No sign-up there has a click. */
const shop = () => ({
  library,
  process: { env: { SERVICE_API_KEY: local.run.demo!.program_api_key } },
  request: { headers: { cookie: 'theme=dark' } },
  clickId: undefined,
  user: { id: 'user_organic', email: 'organic@example.com' },
  userId: 'user_organic',
  invoice: { id: 'in_organic' },
  subscription: { id: 'sub_organic' },
  console,
});

/** Runs a snippet. @returns the result of its last statement */
async function pasted(snippet: string, more: object = {}): Promise<unknown> {
  const code = snippet
    .replaceAll(/import ({.*}) from 'referral-tracking-service';/g, 'const $1 = library;')
    .replace(/^await (?![^]*\n\w)/m, 'return await ');
  const known = { ...shop(), ...more };
  return new AsyncFunction(...Object.keys(known), code)(...Object.values(known));
}

const unattributed = { success: true, duplicate: false, attributed: false, reason: 'no_attribution' };

const facts = () => ({ baseUrl: local.run.base_url, programId: 1, domain: 'acme.test', currency: 'USD' });

describe('for a customer without a click, the example code', () => {
  it.each([
    ['sign-up of the set-up page', () => leadSnippets.node(facts())],
    ['payment of the set-up page', () => saleSnippets.node(facts())],
    ['sign-up of the instructions', () => instructionsExample(0)],
    ['payment of the instructions', () => instructionsExample(1)],
  ])('for the %s succeeds', async (_, snippet) => {
    expect(await pasted(snippet())).toEqual(unattributed);
  });

  it('in the client library’s README succeeds', async () => {
    const document = await readFile('lib/apps/client/README.md', 'utf8');
    const [, example] = /^```js\n(import .*?)^```$/ms.exec(document) ?? [];
    const code = example!
      .replace('http://127.0.0.1:8787', local.run.base_url)
      // Removes the example's visit.
      .replace(/^.*trackClick.*$/m, '')
      .replaceAll('user_456', 'user_organic');
    await expect(pasted(code)).resolves.toBeUndefined();
  });
});

describe('the service recognises a customer’s second payment as a renewal', () => {
  it.each([
    ['payment of the set-up page', () => saleSnippets.node(facts())],
    ['payment of the instructions', () => instructionsExample(1)],
  ])('if the example code for the %s, unchanged, sends both payments', async (name, snippet) => {
    const customerId = `subscriber by the ${name}`;
    const { link, program_api_key: apiKey } = local.run.demo!;
    const referrals = new library.ReferralClient({ apiKey, baseUrl: local.run.base_url });
    const { click_id: clickId } = await referrals.trackClick({ affiliateUrl: `https://acme.test/?aff=${link}` });
    await referrals.trackLead({ customerId, clickId });
    const paidIn = (month: string) =>
      pasted(snippet(), { user: { id: customerId }, userId: customerId, invoice: { id: `${name} in ${month}` } });
    const sales = [await paidIn('May'), await paidIn('June')];
    expect(sales).toMatchObject([
      { duplicate: false, attributed: true, is_recurring: false },
      { duplicate: false, attributed: true, is_recurring: true },
    ]);
  });
});

/** The snippet's report of an event. */
const forwarded = async (event: object, more: object = {}) => {
  const reported: unknown[] = [];
  await pasted(saleSnippets.forward(facts()), {
    event,
    console: { error: (error: Error) => reported.push(error.message) },
    ...more,
  });
  return reported;
};

describe('a Stripe event that reaches the webhook code shown on the set-up page', () => {
  const whole = { id: 'evt_1', type: 'customer.created', created: 1_795_186_800, data: { object: {} } };

  it('is forwarded to the service', async () => expect(await forwarded(whole)).toEqual([]));

  it('is acknowledged to Stripe and logged as an error if it is incomplete', async () => {
    expect(await forwarded({ ...whole, data: undefined })).toEqual([
      'Body must be a whole Stripe event with id, type, created and data.object',
    ]);
  });

  it('is answered with an error if the service refuses it, so that Stripe sends it again', async () => {
    const process = { env: { SERVICE_API_KEY: 'aff_replaced' } };
    await expect(forwarded(whole, { process })).rejects.toMatchObject({ status: 401 });
  });
});

function instructionsExample(index: number): string {
  const program = {
    program_id: 1,
    program_slug: 'acme-pro',
    name: 'Acme Pro',
    domain: 'acme.test',
    status: 'active',
    commission_type: 'percent',
    commission_rate: 20,
    duration_months: null,
    attribution_window_days: 60,
    lead_auth: 'server_required',
    api_token_masked: '****abcd',
    api_key_url: 'https://referrals.test/programs/1/settings',
  } as const;
  const guide = instructions(program, local.run.base_url);
  return [...guide.matchAll(/^```js\n(import .*?)^```$/gms)][index]![1]!;
}

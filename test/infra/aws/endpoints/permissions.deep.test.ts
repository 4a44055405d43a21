import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countingItems, deployedFunctions, onlyItems } from '#infra/deployed-functions.ts';
import { fallback as fallbackRow, routes as rows } from '#infra/routes.ts';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { edgeHeaders } from '#lib/service/ground/config/edge-headers.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { codeEvent, discountedBy } from '#test/support/payments/coded-payments.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { openIssuer } from '#test/support/callers/logins/issuer.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid } from '#test/support/payments/payers.ts';
import { askAsPartner } from '#test/infra/aws/endpoints/calls-of-partners.ts';
import { png } from '#test/support/programs/images.ts';
import { newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import {
  charge,
  openProcessor,
  PLATFORM_SECRET,
  signed,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { factOf } from '#test/support/outbox/webhooks.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Checks permissions, because the embedded engine does not: a missing one would only fail on AWS.

openProcessor();
// All people in this test are invited: reading invitations must be permitted too.
process.env.SIGN_UP = 'invited';
const stripe = await openStripe();

// On AWS, a KMS key encrypts, the platform's secrets are in the secret store, and wake-up messages go to a queue.
Object.assign(process.env, { VAULT_KEY_ID: 'arn:key', STRIPE_SECRETS_ID: 'arn:secret', WEBHOOK_QUEUE_URL: 'queue' });
const [kms, secretStore, queue] = [mockClient(KMSClient), mockClient(SecretsManagerClient), mockClient(SQSClient)];
kms.on(EncryptCommand).callsFake(({ Plaintext }) => ({ CiphertextBlob: Plaintext }));
kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
const stored = { STRIPE_WEBHOOK_SECRET: PLATFORM_SECRET, STRIPE_SECRET_KEY: 'sk_platform' };
secretStore.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(stored) });
afterAll(() => {
  kms.restore();
  secretStore.restore();
  queue.restore();
});

/** The calls to KMS, the secret store and the queue so far. */
const otherCalls = (): string[] => [
  ...kms.commandCalls(EncryptCommand).map(() => 'kms:Encrypt'),
  ...kms.commandCalls(DecryptCommand).map(() => 'kms:Decrypt'),
  ...secretStore.commandCalls(GetSecretValueCommand).map(() => 'secretsmanager:GetSecretValue'),
  ...queue.commandCalls(SendMessageCommand).map(() => 'sqs:SendMessage'),
];

/** An earlier time: functions in this process share cached platform secrets for five minutes, unlike on AWS. */
const minutesAgo = (count: number) => new Date(NOW.getTime() - count * 60_000);

const template = templateWith();
const indexQuery = (index: unknown): string => `Query of ${String(index)}`;

const actionOfPart = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The permissions needed for a call. */
function actionsOf({ name, input }: SentCall): string[] {
  const parts = (input.TransactItems ?? []) as object[];
  if (name === 'TransactWriteCommand') {
    return parts.map((part) => actionOfPart[Object.keys(part)[0] as keyof typeof actionOfPart]);
  }
  if (name === 'QueryCommand') return [input.IndexName === undefined ? 'Query' : indexQuery(input.IndexName)];
  return [{ BatchGetCommand: 'BatchGetItem', PutCommand: 'PutItem', UpdateCommand: 'UpdateItem' }[name] ?? name];
}

/** The partition keys of the items that a call touches. */
function touchedBy({
  input: { TransactItems, RequestItems, Key, Item, ExpressionAttributeValues },
}: SentCall): string[] {
  const named = JSON.stringify([TransactItems, RequestItems, Key, Item, ExpressionAttributeValues]);
  return [...named.matchAll(/"(?:pk|:pk)":"([^"]*)"/g)].map(([, pk]) => pk!);
}

const { routes, fallback } = functionRoutes(loadedFunction);
const used = new Map<string, Set<string>>();
const touched = new Map<string, Set<string>>();

/** Sends a request to the route's function and records its table calls. */
async function ask(method: string, path: string, request: TestRequest = {}): Promise<TestReply['body']> {
  const found = matchRoute(routes, method, path);
  const row = found ? rows[routes.indexOf(found.route)]! : fallbackRow;
  const { handler } = found?.route ?? { handler: fallback };
  let reply: TestReply | undefined;
  kms.resetHistory();
  secretStore.resetHistory();
  queue.resetHistory();
  const calls = await sentCalls(async () => {
    reply = await send(handler, { method, path, pathParameters: found?.pathParameters, ...request });
  });
  const known = used.get(row.function) ?? new Set();
  used.set(row.function, known.union(new Set([...calls.flatMap(actionsOf), ...otherCalls()])));
  touched.set(row.function, (touched.get(row.function) ?? new Set()).union(new Set(calls.flatMap(touchedBy))));
  if (!reply || reply.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
  return reply.body;
}

/** Moves counts of days and minutes to separate items, as in busy counters. */
async function moveCounts(world: World, { program: { id: programId }, partner, shortLink }: Brand): Promise<void> {
  const counters: readonly Counter[] = [
    { of: 'program', programId },
    { of: 'partner', programId, partnerId: partner.id },
    { of: 'link', shortLink },
  ];
  for (const counter of counters) await world.replace({ ...keys.counter(counter), moves: 1, version: 1 });
}

/** Calls every function, for each different use of the table. The program's key is replaced last. */
beforeAll(async () => {
  const [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
  const brand = await world.brand();
  const { token: key } = await ownerOfBrand(world, brand);
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  await moveCounts(world, brand);
  const testMode = { additional_data: { test_mode: true } };

  const track = (name: string, body: object) => ask('POST', `/api/v1/track/${name}`, { key: brand.key, body });
  await ask('OPTIONS', '/api/v1/track/click', { headers: { origin: 'https://acme.test' } });
  const { click_id } = await track('click', { affiliate_url: brand.affiliateUrl });
  await track('lead', { customer_key: 'unknown' });
  await track('lead', { click_id, customer_key: 'jane', email: 'jane@customers.test' });
  const second = await track('click', { affiliate_url: brand.affiliateUrl });
  const claimed = { click_id: second.click_id, email: 'claimed@customers.test' };
  await ask('POST', '/api/v1/track/lead', { body: claimed });
  await track('lead', { click_id: second.click_id });
  await track('sale', { transaction_id: 't1', amount_cents: 4900, customer_key: 'unknown' });
  await track('sale', { transaction_id: 't1', amount_cents: 4900, customer_key: 'jane' });
  await track('sale', { transaction_id: 't2', amount_cents: 4900, ...testMode });
  await track('refund', { transaction_id: 't1' });

  await askForMoney(world, brand, key);
  await askForIntegration(brand, key);
  await askFromMail(world);
  await askAsAgent(brand, await agentKeyOf(world, brand));
  await askForProcessor(brand, key);
  await retrySale(world, brand, key);
  await eraseCustomer(brand, key);
  await askForWebhooks(world, brand, key);
  await askAsPartner(ask, world, brand, key);

  const people = '/api/dashboard/v1/workspace/members';
  const invited = newAddress();
  await ask('POST', people, { key, body: { email: invited, role: 'member' } });
  await ask('GET', people, { key });
  await ask('GET', '/api/dashboard/v1/workspace/audit', { key });
  const payer = '/api/dashboard/v1/workspace/payer';
  for (const iban of ['DE89370400440532013000', 'DE02120300000000202051'])
    await ask('PATCH', payer, { key, body: { iban } });
  await ask('GET', payer, { key });
  // The person has another address at the next sign-in.
  const { account, token, invitations } = await signIn(invited);
  const { workspace_id } = invitations[0];
  await ask('POST', '/api/dashboard/v1/workspace/join', { key: token, body: { workspace_id } });
  const renamed = (await signIn(newAddress())).account;
  await ask('DELETE', `${people}/${account.id}`, { key });
  await ask('POST', people, { key, body: { email: renamed.email, role: 'member' } });
  await ask('POST', '/api/dashboard/v1/workspace/decline', { key: token, body: { workspace_id } });
  await ask('POST', people, { key, body: { email: 'nobody@people.test', role: 'member' } });
  await ask('DELETE', `${people}/nobody%40people.test`, { key });
  await ask('POST', '/api/dashboard/v1/workspace', { key: token, body: { name: 'Own' } });
  await ask('GET', '/api/dashboard/v1/workspace', { key });
  for (const frozen of [true, false]) {
    await ask('PATCH', '/api/dashboard/v1/workspace', { key, body: { payouts_frozen: frozen } });
  }
  await ask('GET', '/api/dashboard/v1/me', { key });
  await ask('GET', '/api/dashboard/v1/address', { key });
  await ask('POST', people, { key: token, body: { email: 'other@people.test', role: 'owner' } });
  const other = await signIn('other@people.test', 'other');
  await ask('POST', '/api/dashboard/v1/workspace/join', {
    key: other.token,
    body: { workspace_id: other.invitations[0].workspace_id },
  });
  await ask('DELETE', `${people}/me`, { key: other.token });

  const terms = { name: 'New', domain: 'new.test', commission_type: 'percent', commission_rate: 10 };
  await ask('POST', '/api/dashboard/v1/programs', { key, body: terms });
  await ask('GET', '/api/dashboard/v1/programs', { key });
  await ask('GET', program, { key });
  await ask('PATCH', program, { key, body: { domain: 'newer.test', allowed_origins: ['https://newer.test'] } });
  await ask('PATCH', program, { key, body: { commission_rate: 25 } });
  await ask('POST', `${program}/api-key`, { key });

  const logo = { body: png().toString('base64'), isBase64Encoded: true };
  await ask('PATCH', `${program}/brand`, { key, body: { display_name: 'Acme' } });
  await ask('GET', `${program}/brand`, { key });
  await ask('PUT', `${program}/brand/logo`, { key, ...logo });
  await ask('GET', `/brand/${brand.program.id}/logo`);
  await ask('GET', `/brand/${brand.program.id}/logo`, { headers: { 'if-none-match': '"other"' } });
  await ask('GET', `/api/partner/v1/brand/${brand.program.id}`);
  await ask('DELETE', `${program}/brand/logo`, { key });

  const { data: partner } = await ask('POST', `${program}/partners`, { key, body: { name: 'Cy', email: 'cy@p.test' } });
  const group = { commission_type: 'percent', commission_rate: 30 };
  await ask('POST', `${program}/groups`, { key, body: { name: 'Creators', terms: group } });
  await ask('PATCH', `${program}/groups/1`, { key, body: { terms: { ...group, commission_rate: 35 } } });
  await ask('GET', `${program}/groups`, { key });
  await ask('GET', `${program}/terms`, { key });
  await ask('POST', `${program}/terms/preview`, { key, body: { commission_rate: 30 } });
  const listed = [{ name: 'Liv', email: newAddress(), group: 'Creators' }];
  await ask('POST', `${program}/invitations`, { key, body: { invitations: listed } });
  await ask('GET', `${program}/partners`, { key });
  await ask('POST', `${program}/links`, { key, body: { partner_id: partner.id, short_link: 'cy-link' } });
  await ask('GET', `${program}/partners/${partner.id}`, { key });
  await ask('GET', `${program}/links`, { key });
  await ask('GET', `${program}/links/cy-link`, { key });
  await ask('GET', `${program}/links?sort=clicks&from=2026-11-01`, { key });
  await ask('PATCH', `${program}/links/cy-link`, { key, body: { status: 'inactive' } });
  await ask('PATCH', `${program}/partners/${partner.id}`, { key, body: { status: 'removed', email: 'cyd@p.test' } });

  const cli = '/api/v1/cli';
  const member = newAddress();
  await ask('POST', people, { key, body: { email: member, role: 'member' } });
  for (const email of [member, newAddress()]) {
    const { data } = await ask('POST', `${cli}/auth/start`, { key });
    const body = { state: data.state, id_token: await issuer.idToken({ sub: 'terminal', email }) };
    await ask('GET', `${cli}/auth/request`, { query: { state: data.state } });
    await ask('POST', `${cli}/auth/callback`, { body });
    const { data: login } = await ask('GET', `${cli}/auth/poll`, { query: { state: data.state } });
    // Removes the token as if it had expired, so that the next sign-in deletes its entry.
    await world.deps().table.transact([{ name: 'token', key: keys.credential(sha256(login.token)), remove: true }]);
  }
  await ask('POST', `${cli}/init`, { key, body: terms });
  await ask('GET', `${cli}/programs`, { key });
  await ask('POST', `${cli}/payment-connect`, { key });
  await ask('GET', `${cli}/nothing`, { key });
  const { data: tokens } = await ask('GET', '/api/dashboard/v1/tokens', { key: token });
  const { id } = tokens.find(({ current }: { current: boolean }) => !current);
  await ask('DELETE', `/api/dashboard/v1/tokens/${id}`, { key: token });
  await signIn(newAddress());
  await ask('DELETE', '/api/dashboard/v1/tokens', { key: token });
  await ask('DELETE', '/api/dashboard/v1/session', { key });

  async function signIn(email: string, sub = 'invited') {
    const body = { id_token: await issuer.idToken({ sub, email }) };
    return (await ask('POST', '/api/dashboard/v1/session', { body })).data;
  }
});

/** Calls the owner's reads of, and decisions on, sales and commissions. */
async function askForMoney({ deps }: World, brand: Brand, key: string): Promise<void> {
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  const commissions = `${program}/commissions`;
  const commissionOf = async (transactionId: string): Promise<number> => {
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'jane' };
    return (await ask('POST', '/api/v1/track/sale', { key: brand.key, body })).commission_id;
  };
  await ask('POST', `${commissions}/${await commissionOf('rejected')}/reject`, { key, body: { reason: 'Fraud' } });
  await ask('POST', `${commissions}/${await commissionOf('approved')}/approve`, { key });
  const several = async (...names: string[]) => ({ ids: await Promise.all(names.map(commissionOf)) });
  await ask('POST', `${commissions}/approve`, {
    key,
    body: { ...(await several('several', 'more')), batch: 'batch-one' },
  });
  const audit = '/api/dashboard/v1/workspace/audit';
  const { data: entries } = await ask('GET', audit, { key, query: { action: 'commission.approved' } });
  const entry = entries.find(({ count }: { count: number }) => count > 1);
  await ask('GET', `${audit}/${entry.id}/items`, { key });
  await ask('GET', `${audit}.csv`, { key });
  await ask('POST', `${commissions}/reject`, { key, body: { ...(await several('suspect')), reason: 'Fraud' } });

  await ask('PATCH', program, { key, body: { rules: { paid_ad: 'hold' } } });
  const landing = { affiliate_url: `https://acme.test/?aff=${brand.shortLink}&gclid=1` };
  const heldOf = async (transaction_id: string): Promise<number> => {
    const { click_id } = await ask('POST', '/api/v1/track/click', { body: landing });
    const body = { transaction_id, amount_cents: 4900, click_id };
    return (await ask('POST', '/api/v1/track/sale', { key: brand.key, body })).commission_id;
  };
  await ask('POST', `${commissions}/${await heldOf('held')}/release`, { key });
  await ask('POST', `${commissions}/release`, { key, body: { ids: [await heldOf('held too')] } });
  const [first, second] = [await heldOf('to reopen'), await heldOf('to reopen too')];
  const decision = { reason: 'Wrong by mistake' };
  await ask('POST', `${commissions}/reject`, { key, body: { ids: [first, second], ...decision } });
  await ask('POST', `${commissions}/${first}/reopen`, { key, body: decision });
  await ask('POST', `${commissions}/reopen`, { key, body: { ids: [second], ...decision } });
  await replaceClaimedKey(brand, key);
  await ask('GET', commissions, { key });
  await ask('GET', commissions, { key, query: { status: 'pending' } });
  await ask('GET', commissions, { key, query: { from: '2026-11-01', to: '2026-11-30', currency: 'USD' } });
  await ask('GET', commissions, { key, query: { partner_id: String(brand.partner.id) } });
  await ask('GET', `${commissions}.csv`, { key });
  await ask('GET', `${commissions}.csv`, { key, query: { partner_id: String(brand.partner.id) } });

  const bonus = { amount_cents: 5_000, currency: 'EUR', reason: 'Bonus' };
  await ask('POST', `${program}/partners/${brand.partner.id}/commissions`, { key, body: bonus });
  await ask('GET', `${program}/owed`, { key });
  await ask('GET', `${program}/owed`, { key, query: { partner_id: String(brand.partner.id) } });
  await ask('POST', `${program}/payouts/preview`, { key });
  // Stores the state between two steps of a large payout, which the request completes.
  const id = 1_000_000_000;
  const made = { createdAt: NOW.toISOString(), createdBy: 'account:1' };
  const begun = { id, programId: brand.program.id, status: 'open', sums: {}, steps: 1, ...made };
  await deps().table.put(keys.payout(id), begun);
  await deps().table.put(keys.openPayout(brand.program.id), { payoutId: id });
  await ask('POST', `${program}/payouts`, { key });
  await ask('POST', `${commissions}/${await commissionOf('paid at once')}/approve`, { key });
  await ask('POST', `${program}/payouts`, { key });
  await ask('GET', `${program}/payouts`, { key });
  await ask('GET', `${program}/payouts/${id}`, { key });
  await deps().table.put(keys.payout(id + 1), { ...begun, id: id + 1 });
  await deps().table.put(keys.openPayout(brand.program.id), { payoutId: id + 1 });
  await ask('POST', `${program}/partners/${brand.partner.id}/commissions`, { key, body: bonus });
  await ask('POST', `${program}/payouts/${id + 1}/continue`, { key });
  const lines = `${program}/payouts/${id + 1}/lines`;
  const line = `${brand.partner.id}-EUR`;
  await ask('GET', lines, { key });
  await ask('GET', `${lines}/${line}`, { key });
  await ask('GET', `${lines}/${line}/commissions`, { key });
  await ask('POST', lines, { key, body: { ids: [line], status: 'void', reason: 'Not sent' } });
  await ask('PATCH', `${program}/payouts/${id}`, { key, body: { reference: 'SEPA 17' } });

  const { data: explained } = await ask('GET', `${program}/sales/t1`, { key });
  const customer = `${program}/customers/${explained.customer.click_id}`;
  await ask('GET', `${program}/search`, { key, query: { q: 'jo@customers.test' } });
  await ask('GET', `${program}/customers`, { key });
  await ask('GET', `${program}/customers`, { key, query: { partner_id: String(brand.partner.id) } });
  await ask('GET', customer, { key });
  const correction = { refund_amount_cents: 1, refund_reason: 'Told late' };
  await ask('POST', `${program}/sales/t1/refund`, { key, body: correction });
  await ask('POST', `${customer}/unlink`, { key, body: { reason: 'Not ours' } });
  await ask('GET', `${program}/events`, { key });
  await ask('GET', `${program}/performance`, { key });
  await ask('GET', `${program}/rules`, { key });
  await ask('GET', `${program}/partners/${brand.partner.id}/performance`, { key });
  await ask('GET', `${program}/links/${brand.shortLink}/performance`, { key });
}

/** Calls the readiness check, and sends test events. */
async function askForIntegration(brand: Brand, key: string): Promise<void> {
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  await ask('POST', `${program}/verification`, { key });
  await ask('GET', `${program}/readiness`, { key });
  for (const event_type of ['click', 'lead', 'sale']) {
    await ask('POST', '/api/v1/cli/test-event', { key: brand.key, body: { event_type } });
  }
  await ask('POST', '/api/v1/cli/test-event', { key: brand.key, body: { type: 'chain' } });
  await ask('GET', '/api/v1/cli/status', { key: brand.key });
  await ask('GET', '/api/v1/programs/me/readiness', { key: brand.key });
}

async function askAsAgent(brand: Brand, key: string): Promise<void> {
  const programs = '/api/agent/v1/programs';
  const program = `${programs}/${brand.program.id}`;
  await ask('GET', programs, { key });
  await ask('GET', program, { key });
  await ask('PATCH', program, { key, body: { name: 'Renamed', commission_rate: 26 } });
  await ask('GET', `${program}/readiness`, { key });
}

/** Connects the processor both ways, and sends an event of each kind to both endpoints. */
async function askForProcessor(brand: Brand, key: string): Promise<void> {
  const path = `/api/dashboard/v1/programs/${brand.program.id}/processor`;
  const account = 'acct_1';
  stripe.letIn(account);
  await ask('PUT', path, { key, body: { signing_secret: 'whsec_brand' } });
  await ask('GET', path, { key });
  const connect = async (from = path) => {
    const { data } = await ask('POST', `${from}/connect`, { key, at: minutesAgo(12) });
    const state = new URL(data.url).searchParams.get('state')!;
    const query = { state, code: 'ac_1' };
    await ask('GET', '/api/dashboard/v1/processor/callback', {
      query,
      cookies: [`service_connect=${state}`],
      at: minutesAgo(6),
    });
  };
  await connect();

  const webhooks = '/api/v1/webhooks/stripe';
  const platform = (event: StripeEvent) => ask('POST', webhooks, signed({ ...event, account }, PLATFORM_SECRET));
  const direct = (event: StripeEvent) => ask('POST', `${webhooks}/${brand.program.id}`, signed(event, 'whsec_brand'));
  const forwarded = (event: StripeEvent) => ask('POST', '/api/v1/track/stripe', { key: brand.key, body: event });
  for (const [name, take] of Object.entries({ platform, direct, forwarded })) {
    const { click_id } = await ask('POST', '/api/v1/track/click', { body: { affiliate_url: brand.affiliateUrl } });
    const lead = { click_id, customer_key: `${name}_user`, email: `${name}@customers.test` };
    await ask('POST', '/api/v1/track/lead', { body: lead });
    await take(
      paid(name, { customer_details: { email: 'another@customers.test' }, metadata: { service_click_id: click_id } }),
    );
    await take(paid(`${name}_nobody`, { customer_details: { email: 'nobody@customers.test' } }));
    await take(paid(`${name}_code`, discountedBy(`${name}_code`)));
    // A payment waits until the text of its code is known.
    const codes = `/api/dashboard/v1/programs/${brand.program.id}/codes`;
    await ask('POST', codes, { key, body: { partner_id: brand.partner.id, code: `${name}10` } });
    await take(codeEvent(`promo_${name}_code`, `${name}10`));
    await take(stripeEvent('charge.refunded', charge(name)));
    await take(stripeEvent('charge.refunded', charge(`${name}_waits`)));
    await take(stripeEvent('account.updated', { charges_enabled: true }, { account }));
    await take(stripeEvent('account.application.deauthorized', {}, { account }));
  }
  await retryPayment(brand, key, direct);
  await askForCodes(brand, key, direct);
  await connect();
  stripe.letIn('acct_2');
  await connect();
  // The account stays while another program is connected to it.
  const second = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 10 };
  const { data } = await ask('POST', '/api/dashboard/v1/programs', { key, body: second });
  const secondPath = `/api/dashboard/v1/programs/${data.id}/processor`;
  await connect(secondPath);
  await ask('DELETE', secondPath, { key });
  await ask('GET', `${path}/payments`, { key });
  // The cached platform secrets have expired, so the function reads them again.
  await ask('DELETE', path, { key, at: minutesAgo(-6) });
}

/** Calls the routes of webhook endpoints. */
async function askForWebhooks(world: World, brand: Brand, key: string): Promise<void> {
  const path = `/api/dashboard/v1/programs/${brand.program.id}/webhooks`;
  const { data } = await ask('POST', path, { key, body: { url: 'https://hooks.brand.com/' } });
  const endpoint = `${path}/${data.id}`;
  await ask('GET', path, { key });
  await ask('GET', endpoint, { key });
  await ask('PATCH', endpoint, { key, body: { status: 'paused' } });
  await ask('PATCH', endpoint, { key, body: { status: 'active' } });
  await ask('POST', `${endpoint}/secret`, { key });
  const { data: delivery } = await ask('POST', `${endpoint}/test`, { key });
  await ask('GET', `${endpoint}/deliveries`, { key });
  await ask('GET', `/api/dashboard/v1/programs/${brand.program.id}/facts`, { key });
  await ask('POST', `${endpoint}/deliveries/${delivery.id}/replay`, { key });
  const today = NOW.toISOString().slice(0, 10);
  await factOf(world, brand, 'sale.recorded');
  await ask('POST', `${endpoint}/replay`, { key, body: { from: today, to: today } });
  await ask('DELETE', endpoint, { key });
}

/** Uses the unsubscribe link of a partner without an account. */
async function askFromMail(world: World): Promise<void> {
  const person = { email: 'ana@partners.test', senderId: 1 };
  await world.replace({ ...keys.mailRefusal(sha256('of-a-mail')), ...person });
  for (const path of ['/api/v1/mail/unsubscribe', '/api/v1/mail/block']) {
    await ask('GET', path, {
      query: { token: 'of-a-mail' },
      headers: { [edgeHeaders.secret]: 'of-the-edge', [edgeHeaders.address]: '192.0.2.1' },
    });
    await ask('POST', path, { query: { token: 'of-a-mail' } });
  }
}

/** Makes payments whose codes the owner adds afterwards. */
async function askForCodes(brand: Brand, key: string, take: Take): Promise<void> {
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  for (const name of ['added', 'named']) {
    const event = paid(`${name}_code`, discountedBy(`${name}_code`));
    await take(event);
    await ask('POST', `${program}/processor/payments/${event.id}/retry`, { key });
  }
  const code = { partner_id: brand.partner.id, code: 'SAVE10', processor_code_id: 'promo_added_code' };
  await ask('POST', `${program}/codes`, { key, body: code });
  await ask('GET', `${program}/codes`, { key });
  // The first payment creates a customer whom the second one finds.
  await take(paid('named_again', discountedBy('named_code', { customer: 'cus_named_code' })));
  for (const transaction_id of ['coded', 'coded again']) {
    const body = { transaction_id, amount_cents: 4900, customer_key: 'coded', coupon_code: 'SAVE10' };
    await ask('POST', '/api/v1/track/sale', { key: brand.key, body });
  }
  await ask('PATCH', `${program}/codes/SAVE10`, { key, body: { processor_code_id: 'promo_named_code' } });
}

/** Sends, as a server, another key with a click than a browser did in browser_allowed mode. */
async function replaceClaimedKey(brand: Brand, key: string): Promise<void> {
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  const { click_id } = await ask('POST', '/api/v1/track/click', { body: { affiliate_url: brand.affiliateUrl } });
  await ask('PATCH', program, { key, body: { lead_auth: 'browser_allowed' } });
  await ask('POST', '/api/v1/track/lead', { body: { click_id, customer_key: 'claimed' } });
  await ask('PATCH', program, { key, body: { lead_auth: 'server_required' } });
  const body = { transaction_id: 'replaces a key', amount_cents: 4900, click_id, customer_key: 'named' };
  await ask('POST', '/api/v1/track/sale', { key: brand.key, body });

  const { click_id: signedUp } = await ask('POST', '/api/v1/track/click', {
    body: { affiliate_url: brand.affiliateUrl },
  });
  await ask('PATCH', program, { key, body: { lead_auth: 'browser_allowed' } });
  await ask('POST', '/api/v1/track/lead', { body: { click_id: signedUp, email: 'claimed@people.test' } });
  await ask('PATCH', program, { key, body: { lead_auth: 'server_required' } });
  const lead = { click_id: signedUp, customer_key: 'signed up', email: 'named@people.test' };
  await ask('POST', '/api/v1/track/lead', { key: brand.key, body: lead });
}

type Take = (event: StripeEvent) => Promise<unknown>;

/** Retries a payment of a removed partner after the partner's return. Its payer belonged to another customer before. */
async function retryPayment(brand: Brand, key: string, take: Take): Promise<void> {
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  const click = async (): Promise<string> =>
    (await ask('POST', '/api/v1/track/click', { body: { affiliate_url: brand.affiliateUrl } })).click_id;
  const [former, later] = [await click(), await click()];
  await take(paid('of_former', { customer: 'cus_shared', metadata: { service_click_id: former } }));
  await ask('POST', `${program}/customers/${former}/unlink`, { key, body: { reason: 'Wrong person' } });
  const partner = `${program}/partners/${brand.partner.id}`;
  await ask('PATCH', partner, { key, body: { status: 'removed' } });
  const event = paid('of_later', { customer: 'cus_shared', metadata: { service_click_id: later } });
  await take(event);
  await ask('PATCH', partner, { key, body: { status: 'active' } });
  await ask('POST', `${program}/processor/payments/${event.id}/retry`, { key });
}

/** Sends a sale of an unknown customer with another program's id, and retries it. */
async function retrySale(world: World, brand: Brand, key: string): Promise<void> {
  await soldTo(await world.brand(), 'theirs', { transaction_id: 'used elsewhere' });
  const body = { transaction_id: 'used elsewhere', amount_cents: 4900, customer_key: 'of no program' };
  await ask('POST', '/api/v1/track/sale', { key: brand.key, body });
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  await ask('POST', `${program}/processor/payments/retry`, { key, query: { event_id: body.transaction_id } });
}

/** Exports and erases a customer with a key and an address. */
async function eraseCustomer(brand: Brand, key: string): Promise<void> {
  const track = (path: string, body: object) => ask('POST', `/api/v1/track/${path}`, { key: brand.key, body });
  const { click_id } = await track('click', { affiliate_url: brand.affiliateUrl });
  await track('lead', { click_id, customer_key: 'to erase', email: 'erased@customers.test' });
  await track('sale', { transaction_id: 'to erase', amount_cents: 4900, customer_key: 'to erase' });
  const customer = `/api/dashboard/v1/programs/${brand.program.id}/customers/${click_id}`;
  await ask('GET', `${customer}/export`, { key });
  await ask('POST', `${customer}/erase`, { key, body: { confirm: click_id } });
}

it.each(deployedFunctions)(
  'the function $name has exactly the permissions that it needed when every route was called',
  ({ name, tableActions, uses }) => {
    const ofFunction = statementsOf(template, name).flatMap(({ Action }) => Action);
    const allowed = [
      ...tableActions,
      ...(uses.includes('programIndex') ? [indexQuery('gsi1')] : []),
      ...(uses.includes('partnerIndex') ? [indexQuery('gsi2')] : []),
      // Permissions in the deployed policy, except those of every function: logs, traces, and the table by its routes.
      // The export bucket's permissions and requests have their own tests.
      ...ofFunction.filter((action) => !/^(dynamodb|logs|xray|s3):/.test(action)),
    ];
    expect([...(used.get(name) ?? [])].toSorted()).toEqual([...new Set(allowed)].toSorted());
  },
);

it.each(Object.entries(onlyItems))(
  'the function %s read and wrote exactly the kinds of items to which its permission is limited',
  (name, kinds = []) => {
    const kindOf = (pk: string) => kinds.find((kind) => pk.startsWith(kind.replace('*', ''))) ?? pk;
    // Salts and the edge's secrets are cached, and not every caller has a credential.
    const seen = new Set([...touched.get(name)!].map(kindOf)).difference(new Set(countingItems));
    expect(seen).toEqual(new Set(kinds).difference(new Set(countingItems)));
  },
);

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, expect } from 'vitest';
import { handler as platform } from '#functions/webhooks/stripe/platform.ts';
import { handler as direct } from '#functions/webhooks/stripe/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { setSigningSecret } from '#lib/service/conversions/processors/processor-connection.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';
import { jsonHeaders } from '#test/support/callers/headers.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

export const PLATFORM_SECRET = 'whsec_platform';

/**
 * Gives the functions of a test file the secrets of the platform's Stripe account, and a key that encrypts brands'
 * secrets. Call this outside of tests.
 */
export function openProcessor(): void {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'));
  const keyFile = join(folder, 'vault-key.json');
  writeFileSync(keyFile, JSON.stringify({ key: Buffer.alloc(32, 7).toString('base64') }));
  Object.assign(process.env, { VAULT_KEY_FILE: keyFile, STRIPE_WEBHOOK_SECRET: PLATFORM_SECRET });
  afterAll(() => rmSync(folder, { recursive: true }));
}

type Fields = Record<string, unknown>;

/** An event in the form in which Stripe sends it. */
export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly account?: string;
  readonly data: { readonly object: Fields };
}

let events = 0;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Creates an event with a unique id. */
export function stripeEvent(
  type: string,
  object: Fields,
  { at = NOW, ...more }: Partial<Pick<StripeEvent, 'id' | 'account' | 'livemode'>> & { readonly at?: Date } = {},
): StripeEvent {
  events += 1;
  return {
    id: `evt_${events}`,
    object: 'event',
    type,
    created: secondsOf(at),
    livemode: true,
    data: { object },
    ...more,
  };
}

/** Creates the request with which Stripe sends an event; its header contains Stripe's signature. */
export function signed(event: unknown, secret: string, at: Date = NOW): Pick<TestRequest, 'body' | 'headers' | 'at'> {
  const payload = typeof event === 'string' ? event : JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: secondsOf(at) });
  return { body: payload, headers: { 'stripe-signature': header }, at };
}

/** Sends an event to a program's own endpoint. */
export const sendDirect = (
  programId: number | string,
  event: unknown,
  { secret = 'whsec_brand', at = NOW }: { readonly secret?: string; readonly at?: Date } = {},
): Promise<TestReply> =>
  send(direct, { ...signed(event, secret, at), pathParameters: { program_id: String(programId) } });

/** Sends an event to the endpoint of the platform's Stripe account. */
export const sendPlatform = (event: unknown, at: Date = NOW): Promise<TestReply> =>
  send(platform, signed(event, PLATFORM_SECRET, at));

/** Gives the brand's program its own Stripe endpoint. */
export async function directEndpoint(world: World, { program }: Pick<Brand, 'program'>, secret = 'whsec_brand') {
  const deps = world.deps();
  await setSigningSecret(deps, program.id, await seal(deps, secret, { programId: program.id }));
}

/** Connects programs to one Stripe account, as the return from Stripe's pages does. */
export async function connected(world: World, accountId: string, brands: readonly Pick<Brand, 'program'>[]) {
  const { table } = world.deps();
  const account = {
    accountId,
    workspaceId: brands[0]!.program.workspaceId,
    programIds: brands.map(({ program }) => program.id),
    livemode: true,
    chargesEnabled: true,
    payoutsEnabled: false,
    detailsSubmitted: true,
    flagsAt: NOW.toISOString(),
  };
  await table.put(keys.processorAccount(accountId), account);
  for (const { program } of brands) {
    const processor = { connectedAt: NOW.toISOString(), accountId };
    await table.update(keys.program(program.id), { set: { processor } });
  }
}

/** A checkout with a single payment, which is paid. Default: 49.00 dollars. */
export const checkoutSession = (id: string, more: Fields = {}): Fields => ({
  id: `cs_${id}`,
  object: 'checkout.session',
  mode: 'payment',
  payment_status: 'paid',
  amount_total: 4900,
  currency: 'usd',
  payment_intent: `pi_${id}`,
  customer: `cus_${id}`,
  customer_details: { email: null },
  invoice: null,
  subscription: null,
  metadata: {},
  ...more,
});

/** A paid invoice of a subscription, in the format of API versions since 2025-03-31. */
export const subscriptionInvoice = (
  id: string,
  subscription: string,
  { metadata = {}, paidAt = NOW, ...more }: Fields & { metadata?: Fields; paidAt?: Date } = {},
): Fields => ({
  id: `in_${id}`,
  object: 'invoice',
  amount_paid: 4900,
  currency: 'usd',
  billing_reason: 'subscription_cycle',
  customer: `cus_${subscription}`,
  customer_email: null,
  parent: { type: 'subscription_details', subscription_details: { subscription: `sub_${subscription}`, metadata } },
  payments: { data: [{ payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }] },
  status_transitions: { paid_at: secondsOf(paidAt) },
  ...more,
});

export const charge = (id: string, more: Fields = {}): Fields => ({
  id: `ch_${id}`,
  object: 'charge',
  amount: 4900,
  currency: 'usd',
  amount_refunded: 4900,
  payment_intent: `pi_${id}`,
  ...more,
});

export const dispute = (id: string, more: Fields = {}): Fields => ({
  id: `dp_${id}`,
  object: 'dispute',
  amount: 4900,
  currency: 'usd',
  charge: `ch_${id}`,
  payment_intent: `pi_${id}`,
  status: 'needs_response',
  ...more,
});

/** Creates a brand whose program has its own Stripe endpoint. */
export async function directBrand(world: World, settings: Parameters<World['brand']>[0] = {}): Promise<Brand> {
  const brand = await world.brand(settings);
  await directEndpoint(world, brand);
  return brand;
}

/** The reply to every event that the service accepts, whether it has an effect or not. */
export const RECEIVED: TestReply = { status: 200, headers: jsonHeaders, body: { received: true } };

/** Sends events to a brand's own endpoint one after the other. The service must accept each of them. */
export async function deliver({ program }: Pick<Brand, 'program'>, ...told: readonly StripeEvent[]): Promise<void> {
  for (const event of told) expect(await sendDirect(program.id, event)).toEqual(RECEIVED);
}

/** Sends an event to a brand's own endpoint at the given time. The service must accept it. */
export const deliverAt = async (at: Date, { program }: Pick<Brand, 'program'>, event: StripeEvent): Promise<void> =>
  expect(await sendDirect(program.id, event, { at })).toEqual(RECEIVED);

/** Sends events to the platform's endpoint one after the other. The service must accept each of them. */
export async function deliverToPlatform(...told: readonly StripeEvent[]): Promise<void> {
  for (const event of told) expect(await sendPlatform(event)).toEqual(RECEIVED);
}

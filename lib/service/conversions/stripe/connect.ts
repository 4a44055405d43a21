import Stripe from 'stripe';
import type { AccountFlags } from '#lib/service/programs/program/processor.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { platformSecrets } from '#lib/service/ground/effects/platform-secrets.ts';

/** A brand's account that is connected to the platform. */
export interface ConnectedAccount extends AccountFlags {
  readonly accountId: string;
  readonly livemode: boolean;
}

/** The URL of Stripe's page on which a brand connects its account; undefined if there is no platform account. */
export async function connectUrl(deps: Deps, state: string): Promise<string | undefined> {
  const { connectClientId, connectBase } = deps.config.stripe;
  const { secretKey } = await platformSecrets(deps);
  if (!connectClientId || !secretKey) return undefined;
  const url = new URL(`${connectBase}/oauth/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: connectClientId,
    scope: 'read_only',
    redirect_uri: callbackUrl(deps.config),
    state,
  }).toString();
  return url.href;
}

/** The URL to which Stripe redirects the user. It must be registered with the platform's account. */
const callbackUrl = ({ baseUrl }: Config): string => `${baseUrl}/api/dashboard/v1/processor/callback`;

/** Exchanges the code from Stripe's redirect for the account. Undefined if Stripe rejects the code. */
export async function exchangeCode(deps: Deps, code: string): Promise<ConnectedAccount | undefined> {
  const { secretKey } = await platformSecrets(deps);
  if (!secretKey) return undefined;
  const { connectBase, apiBase } = deps.config.stripe;
  try {
    const { stripe_user_id: accountId, livemode = false } = await stripeAt(connectBase, secretKey).oauth.token({
      grant_type: 'authorization_code',
      code,
    });
    if (!accountId) return undefined;
    const account = await stripeAt(apiBase, secretKey).accounts.retrieve(accountId);
    return {
      accountId,
      livemode,
      chargesEnabled: account.charges_enabled,
      payoutsEnabled: account.payouts_enabled,
      detailsSubmitted: account.details_submitted,
    };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    deps.log.warn('connect_exchange_failed', stripeFacts(error));
    return undefined;
  }
}

/**
 * Disconnects the platform from a brand's account.
 * @returns whether Stripe confirmed the disconnection; if not, a later call may not be able to repeat it
 */
export async function deauthorized(deps: Deps, accountId: string): Promise<boolean> {
  const { connectBase, connectClientId } = deps.config.stripe;
  try {
    const { secretKey } = await platformSecrets(deps);
    if (!connectClientId || !secretKey) return false;
    const request = { client_id: connectClientId, stripe_user_id: accountId };
    await stripeAt(connectBase, secretKey).oauth.deauthorize(request);
    return true;
  } catch (error) {
    // The connection is already removed on our side, so a failure is only reported.
    const facts = error instanceof Stripe.errors.StripeError ? stripeFacts(error) : { type: (error as Error).name };
    deps.log.warn('deauthorization_failed', { account_id: accountId, ...facts });
    return false;
  }
}

/** The message is left out, because Stripe includes the sent code and a part of our key. */
const stripeFacts = ({ type, code, statusCode, requestId }: Stripe.errors.StripeError) => ({
  type,
  code,
  status: statusCode,
  stripe_request_id: requestId,
});

/** The time-out is short enough that two calls, one after the other, end before the Lambda function times out. */
const CALL_OPTIONS = { timeout: 3_000, maxNetworkRetries: 0, telemetry: false } as const;

function stripeAt(base: string, secretKey: string): Stripe {
  const { protocol, hostname, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...CALL_OPTIONS,
    host: hostname,
    protocol: isPlain ? 'http' : 'https',
    port: port || (isPlain ? '80' : '443'),
  });
}

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { secretList } from '#lib/service/config/config.ts';
import type { Deps } from '#lib/service/deps.ts';
import { timeouts } from '#lib/service/timeouts.ts';

/** Secrets of the platform's own account on the card processor. */
export interface PlatformSecrets {
  /** Of its webhook endpoint; several during a roll-over. */
  readonly webhookSecrets: readonly string[];
  readonly secretKey?: string;
}

/** What the operator keeps in the secret store. */
const StoredSecrets = z.object({
  STRIPE_WEBHOOK_SECRET: z._default(z.string(), ''),
  STRIPE_SECRET_KEY: z.optional(z.string()),
});

/** A new secret counts after so long at most, without a deployment. */
const KEPT_MS = 5 * 60_000;

let client: SecretsManagerClient | undefined;
let kept: { readonly secrets: Promise<PlatformSecrets>; readonly until: number } | undefined;

/** From the secret store where there is one, else from the configuration. */
export async function platformSecrets({
  config,
  now,
  deadline,
}: Pick<Deps, 'config' | 'now' | 'deadline'>): Promise<PlatformSecrets> {
  const { stripe, region } = config;
  if (!stripe.secretsId) return stripe;
  if (!kept || kept.until <= now.getTime()) {
    client ??= new SecretsManagerClient({ region, maxAttempts: 3, requestHandler: timeouts });
    kept = { secrets: storedSecrets(client, stripe.secretsId, deadline), until: now.getTime() + KEPT_MS };
    // A failure is not kept: the next request asks again.
    kept.secrets.catch(() => (kept = undefined));
  }
  return kept.secrets;
}

async function storedSecrets(
  store: SecretsManagerClient,
  SecretId: string,
  abortSignal?: AbortSignal,
): Promise<PlatformSecrets> {
  const { SecretString = '{}' } = await store.send(new GetSecretValueCommand({ SecretId }), { abortSignal });
  const stored = readSecrets(SecretString);
  return { webhookSecrets: secretList(stored.STRIPE_WEBHOOK_SECRET), secretKey: stored.STRIPE_SECRET_KEY };
}

/** @throws Error without the parser's own words: they quote what they could not read, and errors are logged */
function readSecrets(text: string): z.output<typeof StoredSecrets> {
  try {
    return StoredSecrets.parse(JSON.parse(text));
  } catch {
    throw new Error(
      'The platform’s secret must be a JSON object with the texts STRIPE_WEBHOOK_SECRET and STRIPE_SECRET_KEY. ' +
        'Mend it in Secrets Manager; it counts at the next request.',
    );
  }
}

import * as z from 'zod/mini';
import { secretList } from '#lib/service/ground/config/secret-lists.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { readSecret } from '#lib/service/ground/effects/secret-store.ts';

/** Secrets of the platform's own Stripe account. */
export interface PlatformSecrets {
  /** Signing secrets of the account's webhook endpoint; several during a rotation. */
  readonly webhookSecrets: readonly string[];
  readonly secretKey?: string;
}

/** Format of the secret that the operator stores. */
const StoredSecrets = z.object({
  STRIPE_WEBHOOK_SECRET: z._default(z.string(), ''),
  STRIPE_SECRET_KEY: z.optional(z.string()),
});

/** How long secrets are cached. A new secret takes effect within this time, without a deployment. */
const KEPT_MS = 5 * 60_000;

/** Returns the secrets from the secret store if one is configured, otherwise from the configuration. */
export async function platformSecrets(
  deps: Pick<Deps, 'config' | 'now' | 'once' | 'deadline'>,
): Promise<PlatformSecrets> {
  const { stripe } = deps.config;
  return stripe.secretsId ? deps.once(storedSecrets)(stripe.secretsId, deps) : stripe;
}

type SecretsById = (secretId: string, deps: Pick<Deps, 'now' | 'once' | 'deadline'>) => Promise<PlatformSecrets>;

/** The secret store, cached for a few minutes. */
function storedSecrets(): SecretsById {
  let kept: { readonly secrets: Promise<PlatformSecrets>; readonly until: number } | undefined;
  return async (secretId, deps) => {
    if (!kept || kept.until <= deps.now.getTime()) {
      const secrets = readSecret(deps, secretId).then(secretsIn);
      kept = { secrets, until: deps.now.getTime() + KEPT_MS };
      // A failure is not cached: the next request retries.
      secrets.catch(() => (kept = undefined));
    }
    return kept.secrets;
  };
}

function secretsIn(text: string): PlatformSecrets {
  const stored = readSecrets(text);
  return { webhookSecrets: secretList(stored.STRIPE_WEBHOOK_SECRET), secretKey: stored.STRIPE_SECRET_KEY };
}

/**
 * Parses the secret that the operator has stored.
 * @throws Error without the parser's message, which quotes the secret and would be logged
 */
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

import * as z from 'zod/mini';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { canaryKey } from '#lib/service/operations/effects/canary-key.ts';
import { certificateExpiry, postPublicly } from '#lib/service/operations/effects/public-calls.ts';

type CanaryDeps = Pick<Deps, 'now' | 'config' | 'log' | 'once' | 'deadline' | 'random'>;

/**
 * How many days before its expiry a certificate is reported. AWS renews its own certificates 60 days before they
 * expire, so this leaves time to find out why one was not renewed.
 */
const EARLY_DAYS = 21;

/**
 * Sends a test click, lead and sale as a brand's server does, and checks the certificate. Test events create no
 * customer, commission or fee. Never rejects: each run logs one code, and an alarm fires if `canary_passed` is missing.
 */
export async function runCanary(deps: CanaryDeps): Promise<void> {
  try {
    const expiresAt = await certificateExpiry(deps);
    const days = expiresAt && Math.floor((expiresAt.getTime() - deps.now.getTime()) / DAY_MS);
    if (days !== undefined && days < EARLY_DAYS) deps.log.warn('certificate_expiring', { days });
    const key = await canaryKey(deps);
    for (const [event, body] of eventsOf(deps)) await sendTestEvent(deps, key, event, body);
    deps.log.info('canary_passed', { certificate_days: days });
  } catch (error) {
    deps.log.error('canary_failed', error);
  }
}

const eventsOf = ({ random }: CanaryDeps) =>
  [
    ['click', {}],
    ['lead', {}],
    ['sale', { transaction_id: `canary_${random.requestId()}`, amount_cents: 100 }],
  ] as const;

/** The reply to a test event. A click whose key is unknown gets it, too, without a program; a lead is refused then. */
const Stored = z.object({ success: z.literal(true), data: z.object({ eventId: z.number() }) });
const Refused = z.object({ error: z.object({ message: z.string() }) });

/** Sends one test event. @throws Error that names the event and the reply */
async function sendTestEvent(deps: CanaryDeps, key: string, event: string, fields: object): Promise<void> {
  const body = { ...fields, additional_data: { test_mode: true } };
  const reply = await postPublicly(deps, `/api/v1/track/${event}`, { key, body }).catch((cause: unknown) => {
    throw new Error(`The test ${event} got no reply`, { cause });
  });
  if (reply.status === 200 && Stored.safeParse(reply.body).success) return;
  const message = Refused.safeParse(reply.body).data?.error.message ?? 'not a reply of this service';
  throw new Error(`The test ${event} got ${reply.status}: ${message}`);
}

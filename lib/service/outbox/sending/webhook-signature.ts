import { createHmac } from 'node:crypto';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';

/** The prefix of a secret, which is followed by its bytes in base64. */
const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** The body of a delivery. */
export const webhookBodyOf = ({ type, timestamp, programId, isTest, data }: Fact): string =>
  JSON.stringify({ type, timestamp, data: { program_id: programId, is_test: isTest, ...data } });

/**
 * The headers of a delivery, by the Standard Webhooks specification.
 * @param at when the request is sent
 * @param secrets secrets with their prefix
 */
export function webhookHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

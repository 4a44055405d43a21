import { reasonOf } from '#lib/apps/client/errors/reasons.ts';
import {
  AuthenticationError,
  type ErrorFacts,
  KeyRotationRequiredError,
  RateLimitError,
  ReferralError,
  ServerError,
  ValidationError,
  type Warning,
} from '#lib/apps/client/errors/referral-error.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A reply with an error status, as received. */
export interface FailedReply {
  readonly status: number;
  /** The parsed body, or an empty object if the reply is not a JSON object. */
  readonly body: Json;
  readonly requestId: string | undefined;
  readonly retryAfter: string | null;
}

const refusedStatuses = new Set([400, 403, 404, 410, 422]);

/**
 * Converts an error reply to an error. The service has two formats of errors, and both are understood.
 * @param wording changes the message for people; the reason is derived from the service's original text
 */
export function errorOfReply(
  { status, body, requestId, retryAfter }: FailedReply,
  wording: (text: string) => string = (text) => text,
): ReferralError {
  const error = objectOf(body.error);
  const details = objectOf(error.details);
  const text = textOf(error.message) ?? textOf(body.message) ?? `The service answered ${status} without saying why.`;
  const message = wording(text);
  const code = textOf(error.code) ?? textOf(details.code);
  const facts: ErrorFacts = {
    status,
    code,
    reason: reasonOf({ message: text, code }),
    details,
    requestId: requestId ?? textOf(details.request_id),
    warnings: warningsOf(body),
  };
  if (status === 401 && facts.code === 'api_key_rotation_required') {
    return new KeyRotationRequiredError(message, { ...facts, ...rotationOf(error) });
  }
  if (status === 401) return new AuthenticationError(message, facts);
  if (status === 429) {
    const retryAfterSeconds = secondsOf(retryAfter) ?? numberOf(error.retry_after_seconds);
    return new RateLimitError(message, { ...facts, retryAfterSeconds });
  }
  if (status >= 500) return new ServerError(message, facts);
  if (refusedStatuses.has(status)) return new ValidationError(message, facts);
  return new ReferralError(message, facts);
}

export const warningsOf = (body: Json): readonly Warning[] =>
  Array.isArray(body.warnings) ? body.warnings.filter((warning) => textOf(objectOf(warning).code) !== undefined) : [];

/** The value of a `Retry-After` header in seconds. The header is a number or, from some proxies, a date (RFC 9110). */
export function secondsOf(retryAfter: string | null, nowMs: number = Date.now()): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

function rotationOf(error: Json): { hint?: string; docsUrl?: string } {
  const hint = textOf(error.hint);
  const docsUrl = textOf(error.docs_url);
  return { ...(hint !== undefined && { hint }), ...(docsUrl !== undefined && { docsUrl }) };
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

import { keyOfSecret, webhookSignature } from '#lib/apps/client/webhooks/webhook-signature.ts';
import type { WebhookEvent } from '#lib/apps/client/webhooks/webhook-event.ts';

/** Request headers: a plain object with names in upper or lower case, those of Node, or `Headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far the request's timestamp may differ from the present time. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The present time: a date, or milliseconds since 1970. Default: this machine's clock. */
  readonly now?: Date | number;
}

/** Why a request is not accepted as a webhook of the service. */
export type WebhookVerificationReason =
  | 'missing_headers'
  | 'invalid_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_matching_signature'
  | 'invalid_secret'
  | 'invalid_body';

/**
 * The request was not sent by the service, or was sent too long ago. The message contains no part of the request, so
 * you may show it.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /**
   * `invalid_secret` means that your own configuration is wrong; all other reasons mean that the request is not valid.
   */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Verifies that a request comes from the service and was sent within the last minutes.
 *
 * The service may send an event several times with the same `id`: ignore ids that you have processed.
 * @param body the body as received, before any parsing: parsing and serializing JSON changes the text
 * @param secret the endpoint's secret, `whsec_…`; while it is replaced, a list of the old and the new one
 * @returns the event. A newer service may send further types: ignore those that you do not handle
 * @throws WebhookVerificationError with the cause in `reason`
 *
 * @example
 * const event = verifyWebhook(await request.text(), request.headers, process.env.SERVICE_WEBHOOK_SECRET);
 * if (event.type === 'commission.paid') await books.add(event.id, event.data.partner_id, event.data.amount_cents);
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): WebhookEvent {
  const keys = keysOf(secret);
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  checkTime(timestamp, Number(now) / 1_000, toleranceSeconds);
  const isSigned = keys.some((key) => {
    const expected = webhookSignature(key, id, timestamp, bytes);
    return signatures.some((signature) => isSameText(signature, expected));
  });
  if (!isSigned) {
    throw new WebhookVerificationError(
      'no_matching_signature',
      "No signature matches. Is the secret this endpoint's, and the body the text that arrived, before any parsing?",
    );
  }
  return eventIn(bytes, id);
}

function keysOf(secret: string | readonly string[] | undefined): readonly Uint8Array[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  const keys = secrets.map((text) => (typeof text === 'string' ? keyOfSecret(text) : undefined));
  if (keys.length > 0 && keys.every((key) => key !== undefined)) return keys;
  throw new WebhookVerificationError(
    'invalid_secret',
    'The secret must be whsec_ and base64, as the service showed it when the endpoint was created.',
  );
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookVerificationError(
    'invalid_body',
    'The body must be the text or bytes that arrived, before any parsing.',
  );
}

function headerOf(headers: WebhookHeaders | null | undefined, name: string): string {
  const value =
    typeof headers?.get === 'function'
      ? headers.get(name)
      : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookVerificationError('missing_headers', `The request has no header ${name}.`);
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp must be seconds since 1970.');
  }
  // Written as a negation, so that the request is also rejected if its timestamp is not a number.
  const ageSeconds = Math.floor(nowSeconds) - Number(timestamp);
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_too_old', `The request is more than ${toleranceSeconds} s old.`);
  }
  if (!(ageSeconds >= -toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_too_new',
      `The request is from more than ${toleranceSeconds} s ahead. Is this machine's clock right?`,
    );
  }
}

/** Compares two texts. If they have equal length, the time does not depend on where they differ. */
function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** Parses the body of a verified request. @param id from the header, which the signature covers */
function eventIn(bytes: Uint8Array, id: string): WebhookEvent {
  const event = parsed(bytes);
  if (typeof event?.type === 'string' && typeof event.data === 'object' && event.data !== null) {
    return { ...event, id } as WebhookEvent;
  }
  throw new WebhookVerificationError('invalid_body', 'The body is signed with this secret, but it is no event.');
}

function parsed(bytes: Uint8Array): Partial<Record<keyof WebhookEvent, unknown>> | null | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

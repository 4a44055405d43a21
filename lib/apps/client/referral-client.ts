import { baseUrlOf } from '#lib/apps/client/calls/base-url.ts';
import { type Click, clickRequest, type RecordedClick } from '#lib/apps/client/calls/click.ts';
import { comparedLead, comparedRefund, comparedSale } from '#lib/apps/client/calls/compared-calls.ts';
import { type ComparedNames, unknownFields } from '#lib/apps/client/errors/field-names.ts';
import { type Json, warningsOf } from '#lib/apps/client/errors/error-of-reply.ts';
import {
  type Lead,
  leadRequest,
  type RecordedLead,
  type RepeatedLead,
  saysLeadIsRecorded,
  type UnattributedLead,
} from '#lib/apps/client/calls/lead.ts';
import { type Readiness, readinessRequest } from '#lib/apps/client/calls/readiness.ts';
import { isUncredited } from '#lib/apps/client/errors/reasons.ts';
import { ReferralError } from '#lib/apps/client/errors/referral-error.ts';
import { type RecordedRefund, type Refund, refundRequest } from '#lib/apps/client/calls/refund.ts';
import { idempotent, notIdempotent, type RetryPolicy, withRetries } from '#lib/apps/client/calls/retry.ts';
import {
  recordedSaleId,
  type RecordedSale,
  type RepeatedSale,
  type Sale,
  saleRequest,
  type UnattributedSale,
} from '#lib/apps/client/calls/sale.ts';
import { type RecordedStripeEvent, type StripeEvent, stripeEventRequest } from '#lib/apps/client/calls/stripe.ts';
import { type Fetch, openTransport, type Send, type WireRequest } from '#lib/apps/client/calls/transport.ts';
import { inClientNames } from '#lib/apps/client/errors/vocabulary.ts';
import { warnOnce } from '#lib/apps/client/errors/warn-once.ts';

export interface ReferralClientOptions {
  /**
   * The program key, `aff_…`, from an environment variable. If the variable is not set, the constructor throws an error
   * that says so. Use the key on servers only.
   */
  readonly apiKey: string | undefined;
  /** The service's address, such as `https://referrals.example.com`. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  /** Maximum duration of a call in milliseconds, including all retries and waits. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** The result for a lead or sale of a customer for whom no partner can be credited. */
const unattributed = { success: true, attributed: false, reason: 'no_attribution' };

/** Decides whether a failed attempt counts as a success. Returns the call's result then, otherwise undefined. */
type Reading = (error: ReferralError, retries: number) => Json | undefined;

/**
 * Records clicks, leads, sales, refunds and Stripe's events from a server, with one program key.
 *
 * Methods resolve to the service's reply, with the field names of the HTTP API. They reject with a
 * {@link ReferralError}, whose subclass says what you can do. A call is retried up to twice where that is safe: every
 * call after a 429, and all but clicks also after a network error or a 500. No call takes longer than `timeoutMs`: a
 * call that would have to wait longer rejects at once. After a 429, the {@link RateLimitError} says how long to wait.
 *
 * @example
 * const referrals = new ReferralClient({
 *   apiKey: process.env.SERVICE_API_KEY,
 *   baseUrl: 'https://referrals.example.com',
 * });
 * await referrals.trackLead({ customerId: user.id, clickId: clickIdFrom(request), email: user.email });
 * await referrals.trackSale({ customerId: user.id, amount: 4900, invoiceId: invoice.id, subscriptionId });
 */
export class ReferralClient {
  // Private fields do not appear in console.log, JSON.stringify and error reports.
  readonly #apiKey: string;
  readonly #send: Send;
  readonly #timeoutMs: number;
  readonly #warn: ReturnType<typeof warnOnce>;

  /** Checks the options; nothing is sent yet. @throws TypeError that names the invalid option */
  constructor(options: ReferralClientOptions) {
    const { apiKey, ...transport } = checked(options);
    this.#apiKey = apiKey;
    this.#timeoutMs = transport.timeoutMs;
    this.#send = openTransport({ ...transport, wording: inClientNames });
    // oxlint-disable-next-line no-console -- operators of the server have to see it
    this.#warn = warnOnce((line) => console.warn(`Referral tracking: ${line}`));
  }

  /**
   * Records a visit through a referral link. It is not retried after a network error or a 500, because the click could
   * then be counted twice.
   */
  async trackClick(click: Click): Promise<RecordedClick> {
    return (await this.#call(notIdempotent, clickRequest(click))) as unknown as RecordedClick;
  }

  /**
   * Records a signup. The result has `duplicate: true` if an earlier attempt of this call recorded the lead, but its
   * reply was lost. If no partner can be credited, the result has `reason: 'no_attribution'`.
   */
  async trackLead(lead: Lead): Promise<RecordedLead | UnattributedLead | RepeatedLead> {
    this.#check(lead, comparedLead);
    const body = await this.#call(idempotent, this.#keyed(leadRequest(lead)), (error, retries) => {
      if (retries > 0 && saysLeadIsRecorded(error)) return { success: true, duplicate: true };
      return isUncredited(error) ? unattributed : undefined;
    });
    return { duplicate: false, ...body } as unknown as RecordedLead | UnattributedLead | RepeatedLead;
  }

  /**
   * Records a payment. The result has `duplicate: true` if an earlier call recorded the program's sale with this
   * `invoiceId`. If the sale with this id belongs to another program, the call rejects. If no partner can be credited,
   * the result has `reason: 'no_attribution'`.
   */
  async trackSale(sale: Sale): Promise<RecordedSale | UnattributedSale | RepeatedSale> {
    this.#check(sale, comparedSale);
    const body = await this.#call(idempotent, this.#keyed(saleRequest(sale)), (error) => {
      const saleId = recordedSaleId(error);
      if (saleId !== undefined) return { success: true, duplicate: true, sale_id: saleId };
      return isUncredited(error) ? unattributed : undefined;
    });
    return { duplicate: false, ...body } as unknown as RecordedSale | UnattributedSale | RepeatedSale;
  }

  /**
   * Records money returned to the customer. If the sale is not recorded yet, the call rejects with the reason
   * `sale_not_found`: send the refund again after the sale.
   */
  async trackRefund(refund: Refund): Promise<RecordedRefund> {
    this.#check(refund, comparedRefund);
    return (await this.#call(idempotent, this.#keyed(refundRequest(refund)))) as unknown as RecordedRefund;
  }

  /**
   * Forwards a Stripe event whose signature your webhook has verified. Send first payments, renewals, refunds,
   * disputes, and any other events you receive. The effect is the same as if Stripe sent the event to the program's own
   * endpoint. An event that was already processed, forwarded or from Stripe, has the outcome `repeated`.
   */
  async trackStripeEvent(event: StripeEvent): Promise<RecordedStripeEvent> {
    return (await this.#call(idempotent, this.#keyed(stripeEventRequest(event)))) as unknown as RecordedStripeEvent;
  }

  /** Returns the progress of the integration. @param options.forceRecheck if true, cached results are not used */
  async readiness({ forceRecheck = false }: { readonly forceRecheck?: boolean } = {}): Promise<Readiness> {
    return (await this.#call(idempotent, this.#keyed(readinessRequest(forceRecheck)))) as unknown as Readiness;
  }

  /** Checks the names of a call's fields, before anything is sent. @throws ValidationError for a misspelled field */
  #check(given: object, names: ComparedNames): void {
    const texts = unknownFields(given, names).map((name) => `${names.method}: unknown field ${name}`);
    this.#warn(texts.map((message) => ({ code: message, message })));
  }

  #keyed(request: WireRequest): WireRequest {
    return { ...request, bearer: this.#apiKey };
  }

  #call(policy: RetryPolicy, request: WireRequest, reading?: Reading): Promise<Json> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const attempt = async (retries: number): Promise<Json> => {
      try {
        const { body } = await this.#send(request, signal);
        this.#warn(warningsOf(body));
        return body;
      } catch (error) {
        if (!(error instanceof ReferralError)) throw error;
        const { warnings } = error;
        this.#warn(warnings);
        const body = reading?.(error, retries);
        if (!body) throw error;
        return warnings.length > 0 ? { ...body, warnings } : body;
      }
    };
    return withRetries(policy, attempt, { withinMs: this.#timeoutMs });
  }
}

// The longest delay that a JavaScript timer supports.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Checks the options. Messages never contain an invalid value, because it may be the key in the wrong option. */
function checked({ apiKey, baseUrl, fetch, timeoutMs = 10_000 }: Partial<ReferralClientOptions> = {}) {
  if (apiKey === undefined || apiKey === '') {
    throw new TypeError(
      "apiKey is missing. Set the environment variable SERVICE_API_KEY to the program key, which a workspace owner generates in the program's settings, and pass it: apiKey: process.env.SERVICE_API_KEY",
    );
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'apiKey must be the program key: visible characters, without spaces, quotes or line breaks around it',
    );
  }
  const address = typeof baseUrl === 'string' ? baseUrlOf(baseUrl) : undefined;
  if (address === undefined) {
    throw new TypeError('baseUrl must be an http or https address without user, query and fragment');
  }
  if (fetch !== undefined && typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS) {
    throw new TypeError(`timeoutMs must be a whole number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}`);
  }
  return { apiKey, baseUrl: address, fetch, timeoutMs };
}

// The other exports of the package.
export { clickIdFrom, type SignupRequest } from '#lib/apps/client/calls/click-id.ts';
export type { Click, RecordedClick } from '#lib/apps/client/calls/click.ts';
export type { Lead, RecordedLead, RepeatedLead, UnattributedLead } from '#lib/apps/client/calls/lead.ts';
export type { Readiness } from '#lib/apps/client/calls/readiness.ts';
export type { Reason } from '#lib/apps/client/errors/reasons.ts';
export {
  AuthenticationError,
  KeyRotationRequiredError,
  NetworkError,
  RateLimitError,
  ReferralError,
  ServerError,
  ValidationError,
  type Warning,
} from '#lib/apps/client/errors/referral-error.ts';
export type { RecordedRefund, Refund } from '#lib/apps/client/calls/refund.ts';
export type { RecordedSale, RepeatedSale, Sale, UnattributedSale } from '#lib/apps/client/calls/sale.ts';
export { type RecordedStripeEvent, type StripeEvent, stripeMetadata } from '#lib/apps/client/calls/stripe.ts';
export type { Fetch } from '#lib/apps/client/calls/transport.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '#lib/apps/client/webhooks/webhook.ts';
export type {
  WebhookCommission,
  WebhookLeadCommission,
  WebhookManualCommission,
  WebhookSaleCommission,
} from '#lib/apps/client/webhooks/webhook-commission.ts';
export type {
  WebhookClick,
  WebhookCode,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
  WebhookKeyRotation,
  WebhookLead,
  WebhookLink,
  WebhookPartner,
  WebhookRefund,
  WebhookSale,
  WebhookTest,
} from '#lib/apps/client/webhooks/webhook-event.ts';
export type { WebhookPayout, WebhookPayoutLine } from '#lib/apps/client/webhooks/webhook-payout.ts';

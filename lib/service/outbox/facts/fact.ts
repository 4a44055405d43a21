import { createHash } from 'node:crypto';

/** The event types of webhooks, with their public names. */
export const factTypes = [
  'click.recorded',
  'lead.recorded',
  'lead.settled',
  'sale.recorded',
  'sale.updated',
  'sale.reattributed',
  'sale.refunded',
  'sale.disputed',
  'commission.created',
  'commission.held',
  'commission.released',
  'commission.approved',
  'commission.rejected',
  'commission.reopened',
  'commission.reduced',
  'commission.reversed',
  'commission.restored',
  'commission.recalculated',
  'commission.paid',
  'commission.unpaid',
  'payout.created',
  'payout.line_changed',
  'partner.added',
  'partner.applied',
  'partner.removed',
  'link.created',
  'code.created',
  'key.rotation_due',
  'endpoint.test',
] as const;
export type FactType = (typeof factTypes)[number];

/** An event in a program that is delivered to webhooks. Times are ISO 8601. */
export interface Fact {
  /** The id from `factIdOf`. It is sent as `webhook-id`. */
  readonly id: string;
  readonly type: FactType;
  readonly programId: number;
  readonly isTest: boolean;
  /** When the event happened. */
  readonly timestamp: string;
  /** The payload besides type and time: the row that the API showed at that time. */
  readonly data: Readonly<Record<string, unknown>>;
}

const FACT_ID = /^evt_[0-9a-z]{1,100}$/;
/** Whether a text has the format of a fact id. */
export const isFactId = (text: string): boolean => FACT_ID.test(text);

/** How long facts and their deliveries are kept. */
export const FACT_DAYS = 30;

const TIME_DIGITS = 9;

/** When a fact of this time expires, in seconds since 1970. */
export const factExpirySeconds = (timestamp: string): number =>
  Math.ceil(Date.parse(timestamp) / 1_000) + FACT_DAYS * 86_400;

/** The beginning of a fact id. Ids sort by the time of the event. */
export const factIdFrom = (timestamp: string): string =>
  `evt_${Date.parse(timestamp).toString(36).padStart(TIME_DIGITS, '0')}`;

/**
 * Returns the id of a fact. It is always the same for the same event, so that a stream record that is processed twice
 * gives the same id. It contains no dot, because dots separate the parts of the signed content.
 * @param source identifies the item and its version, unique for this type
 */
export const factIdOf = (type: FactType, source: string, timestamp: string): string =>
  `${factIdFrom(timestamp)}${createHash('sha256').update(`${type} ${source}`).digest('hex').slice(0, 24)}`;

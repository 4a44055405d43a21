import { createHash } from 'node:crypto';

/** What the service tells a brand's other systems, by the names that they see. */
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
  'commission.reduced',
  'commission.reversed',
  'commission.restored',
  'commission.recalculated',
  'commission.paid',
  'payout.created',
  'partner.added',
  'partner.applied',
  'partner.removed',
  'link.created',
  'code.created',
  'key.rotation_due',
  'endpoint.test',
] as const;
export type FactType = (typeof factTypes)[number];

/** Something that happened in a program. Times are ISO 8601. */
export interface Fact {
  /** By `factIdOf`; receivers know it as `webhook-id`. */
  readonly id: string;
  readonly type: FactType;
  readonly programId: number;
  readonly isTest: boolean;
  /** When it happened. */
  readonly timestamp: string;
  /** What receivers get beside type and time: the row of the API as it was then. */
  readonly data: Readonly<Record<string, unknown>>;
}

const FACT_ID = /^evt_[0-9a-z]{1,100}$/;
/** Whether a text may be the id of a fact. */
export const isFactId = (text: string): boolean => FACT_ID.test(text);

/** How long facts and their deliveries are kept. */
export const FACT_DAYS = 30;

const TIME_DIGITS = 9;

/** When facts that happened at this time are no longer kept, in unix seconds. */
export const factExpirySeconds = (timestamp: string): number =>
  Math.ceil(Date.parse(timestamp) / 1_000) + FACT_DAYS * 86_400;

/** Ids of facts sort by the time at which they happened. */
export const factIdFrom = (timestamp: string): string =>
  `evt_${Date.parse(timestamp).toString(36).padStart(TIME_DIGITS, '0')}`;

/**
 * The same for the same fact, whenever and how often it is derived: from what happened to which item, and which of its
 * changes it was. It has no dot, which separates the parts of what is signed.
 * @param source names the item and its version, unlike every other of this type
 */
export const factIdOf = (type: FactType, source: string, timestamp: string): string =>
  `${factIdFrom(timestamp)}${createHash('sha256').update(`${type} ${source}`).digest('hex').slice(0, 24)}`;

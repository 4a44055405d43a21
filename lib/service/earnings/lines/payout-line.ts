import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { lineStatusRefused } from '#lib/service/ground/values/refusals.ts';
import type { PayoutClaims, PayoutItem } from '#lib/service/earnings/payouts/payout.ts';

export const lineStatuses = ['recorded', 'sent', 'paid', 'failed', 'void'] as const;
export type LineStatus = (typeof lineStatuses)[number];

/** Where the money of a line goes, masked. */
export type PaidTo = Pick<ShownPayoutDetails, 'method' | 'masked' | 'updatedAt'>;

/** What a payout pays to one partner in one currency. Times are ISO 8601. */
export interface PayoutLine extends PayoutItem {
  readonly payoutId: number;
  readonly programId: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
  readonly status: LineStatus;
  readonly sentAt?: string;
  readonly paidAt?: string;
  /** When it failed or became void. */
  readonly endedAt?: string;
  /** Who ended it. */
  readonly endedBy?: Actor;
  /** Why it failed or is void. */
  readonly reason?: string;
  readonly reference?: string;
  /** The destination when the line left `recorded`. Null if there was none. Undefined while it is recorded. */
  readonly paidTo?: PaidTo | null;
  /** Set until the last commission of an ended line is given back. */
  readonly returning?: true;
  /** What the first step of the line claimed. Undefined in a payout of version 1, whose claims are all separate items. */
  readonly firstClaim?: Pick<PayoutClaims, 'amountCents' | 'commissionIds'> & { readonly step: number };
}

/** The line after a further step. */
export const withClaim = (line: PayoutLine, { amountCents, commissionIds }: PayoutClaims): PayoutLine => ({
  ...line,
  amountCents: line.amountCents + amountCents,
  commissions: line.commissions + commissionIds.length,
});

/** A line is called by its partner and currency within its payout. */
export const lineIdOf = ({ partnerId, currency }: Pick<PayoutLine, 'partnerId' | 'currency'>): string =>
  `${partnerId}-${currency}`;

/** The number by which a payment names its line: unique in the installation. */
export const lineNumberOf = (line: Pick<PayoutLine, 'payoutId' | 'partnerId' | 'currency'>): string =>
  `${line.payoutId}-${lineIdOf(line)}`;

const LINE_ID = /^([1-9]\d{0,15})-([A-Z]{3})$/;

/** @returns undefined if the text cannot be the id of a line */
export function lineNamed(id: string): Pick<PayoutLine, 'partnerId' | 'currency'> | undefined {
  const [, partnerId, currency] = LINE_ID.exec(id) ?? [];
  return partnerId === undefined ? undefined : { partnerId: Number(partnerId), currency: currency! };
}

/**
 * Each status with those that may change to it. Failed and void are final.
 *
 *     recorded ←→ sent ←→ paid ←→ recorded   marks only
 *     recorded ──→ void                      nothing was sent
 *     sent, paid ──→ failed                  the transfer failed or came back
 */
const mayBecome: Readonly<Record<LineStatus, readonly LineStatus[]>> = {
  recorded: ['sent', 'paid'],
  sent: ['recorded', 'paid'],
  paid: ['recorded', 'sent'],
  failed: ['sent', 'paid'],
  void: ['recorded'],
};

/** Whether what the line holds of commissions counts as paid out. */
export const isStanding = ({ status }: Pick<PayoutLine, 'status'>): boolean => status !== 'failed' && status !== 'void';

export const isEnd = (status: LineStatus): status is 'failed' | 'void' => !isStanding({ status });

/** Whether the line went to these details, and they have not been changed since. */
export const isSentTo = ({ paidTo }: Pick<PayoutLine, 'paidTo'>, details: PaidTo): boolean =>
  paidTo?.updatedAt === details.updatedAt && paidTo.masked === details.masked;

export interface LineChange {
  readonly status: LineStatus;
  /** Why the line ends. */
  readonly reason?: string;
  readonly reference?: string;
  readonly actor: Actor;
  readonly at: Date;
}

/**
 * The line after a change. In the status that it has already, its times and reason stay.
 * @param paidTo where the money goes now; null without payout details
 * @throws Refusal if the status does not allow the change
 */
export function changedLine(line: PayoutLine, change: LineChange, paidTo: PaidTo | null): PayoutLine {
  const { status, reason, actor } = change;
  const reference = change.reference ?? line.reference;
  if (status === line.status) return { ...line, reference };
  if (!mayBecome[status].includes(line.status)) throw lineStatusRefused(status, line.status);
  const at = change.at.toISOString();
  const { sentAt = at } = line;
  const times = {
    recorded: {},
    sent: { sentAt: at },
    paid: { sentAt, paidAt: at },
    failed: { sentAt, endedAt: at },
    void: { endedAt: at },
  } satisfies Record<LineStatus, Pick<PayoutLine, 'sentAt' | 'paidAt' | 'endedAt'>>;
  return {
    ...line,
    sentAt: undefined,
    paidAt: undefined,
    ...times[status],
    status,
    reference,
    paidTo: status === 'recorded' ? undefined : line.paidTo === undefined ? paidTo : line.paidTo,
    ...(isEnd(status) && { reason, endedBy: actor }),
  };
}

import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { lineStatusRefused } from '#lib/service/ground/values/refusals.ts';
import type { PayoutClaims, PayoutItem } from '#lib/service/earnings/payouts/payout.ts';

export const lineStatuses = ['recorded', 'sent', 'paid', 'failed', 'void'] as const;
export type LineStatus = (typeof lineStatuses)[number];

/** The payout details to which a line is paid, masked. */
export type PaidTo = Pick<ShownPayoutDetails, 'method' | 'masked' | 'updatedAt'>;

/** A line of a payout: what the payout pays to one partner in one currency. Times are ISO 8601. */
export interface PayoutLine extends PayoutItem {
  readonly payoutId: number;
  readonly programId: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
  readonly status: LineStatus;
  readonly sentAt?: string;
  readonly paidAt?: string;
  /** When the line failed or became void. */
  readonly endedAt?: string;
  /** Who marked the line as failed or void. */
  readonly endedBy?: Actor;
  /** Why the line failed or is void. */
  readonly reason?: string;
  readonly reference?: string;
  /**
   * The payout details when the line left the status `recorded`. Null if there were none. Undefined while the line is
   * `recorded`.
   */
  readonly paidTo?: PaidTo | null;
  /** Set on a line that failed or became void, until its payments for all of its commissions are cancelled. */
  readonly returning?: true;
  /**
   * The commissions that the first step of the payout put into the line. Undefined in a payout of version 1, where each
   * step's commissions are a separate item.
   */
  readonly firstClaim?: Pick<PayoutClaims, 'amountCents' | 'commissionIds'> & { readonly step: number };
}

/** The line after a further step of the payout has added commissions. */
export const withClaim = (line: PayoutLine, { amountCents, commissionIds }: PayoutClaims): PayoutLine => ({
  ...line,
  amountCents: line.amountCents + amountCents,
  commissions: line.commissions + commissionIds.length,
});

/** The id of a line within its payout: partner and currency. */
export const lineIdOf = ({ partnerId, currency }: Pick<PayoutLine, 'partnerId' | 'currency'>): string =>
  `${partnerId}-${currency}`;

/** The number of a line on payments and statements. It is unique in the installation. */
export const lineNumberOf = (line: Pick<PayoutLine, 'payoutId' | 'partnerId' | 'currency'>): string =>
  `${line.payoutId}-${lineIdOf(line)}`;

const LINE_ID = /^([1-9]\d{0,15})-([A-Z]{3})$/;

/** Reads partner and currency from the id of a line. @returns undefined if the text cannot be the id of a line */
export function lineNamed(id: string): Pick<PayoutLine, 'partnerId' | 'currency'> | undefined {
  const [, partnerId, currency] = LINE_ID.exec(id) ?? [];
  return partnerId === undefined ? undefined : { partnerId: Number(partnerId), currency: currency! };
}

/**
 * Each status of a line with the statuses that may change to it. Failed and void are final.
 *
 *     recorded ←→ sent ←→ paid ←→ recorded   an owner's marks, which move no money
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

/** Whether the line's payments for its commissions count as paid out: the line has not failed or become void. */
export const isStanding = ({ status }: Pick<PayoutLine, 'status'>): boolean => status !== 'failed' && status !== 'void';

export const isEnd = (status: LineStatus): status is 'failed' | 'void' => !isStanding({ status });

/** Whether the line was paid to these payout details, and they have not been changed since. */
export const isSentTo = ({ paidTo }: Pick<PayoutLine, 'paidTo'>, details: PaidTo): boolean =>
  paidTo?.updatedAt === details.updatedAt && paidTo.masked === details.masked;

export interface LineChange {
  readonly status: LineStatus;
  /** Why the line fails or becomes void. */
  readonly reason?: string;
  readonly reference?: string;
  readonly actor: Actor;
  readonly at: Date;
}

/**
 * The line after a change. If it already has the new status, its times and reason stay.
 * @param paidTo the payout details as they are now; null if there are none
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

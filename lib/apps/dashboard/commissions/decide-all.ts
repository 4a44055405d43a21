import { moneyText } from '#lib/apps/web/format.ts';
import type { Commission, CommissionStatus, DecidedCommission } from '#lib/wire/earnings/commission.ts';

export type Decision = 'approve' | 'reject' | 'release' | 'reopen';

/** The decisions that are possible in each status. */
export const decisions = {
  pending: ['approve', 'reject'],
  held: ['release', 'reject'],
  approved: ['reopen'],
  rejected: ['reopen'],
} as const satisfies Partial<Record<CommissionStatus, readonly Decision[]>>;

export type DecidableStatus = keyof typeof decisions;

export const isDecidable = (status: string): status is DecidableStatus => status in decisions;

/** Whether a decision needs a reason. */
export const needsReason = (decision: Decision): boolean => decision === 'reject' || decision === 'reopen';

export const verbs = { approve: 'Approve', reject: 'Reject', release: 'Release', reopen: 'Reopen' } as const;

/** Decisions on commissions. */
export const outcomes = {
  approve: 'approved',
  reject: 'rejected',
  release: 'released',
  reopen: 'reopened',
} as const satisfies Record<Decision, string>;

interface Change {
  readonly from: readonly CommissionStatus[];
  readonly to: readonly CommissionStatus[];
}

/**
 * The status after each decision. A released commission whose hold has ended may be approved at once, and one that was
 * rejected while a rule held it is held again.
 */
const changes: Readonly<Record<Decision, Change>> = {
  approve: { from: ['pending'], to: ['approved'] },
  reject: { from: ['pending', 'held'], to: ['rejected'] },
  release: { from: ['held'], to: ['pending', 'approved'] },
  reopen: { from: ['approved', 'rejected'], to: ['pending', 'held'] },
};

/** Maximum number that one request may decide. */
const CHUNK = 100;

/** Progress of a series of decisions. */
export interface Progress {
  /** Number of commissions that have the wanted status. */
  readonly done: number;
  /** Commissions that the service refused to decide, with its reasons. */
  readonly refused: readonly DecidedCommission[];
  /** Ids without a reply: the request was not sent, or its reply was lost. */
  readonly left: readonly number[];
}

export const begun = (ids: readonly number[]): Progress => ({ done: 0, refused: [], left: ids });

interface DecideAllOptions {
  readonly send: (ids: readonly number[]) => Promise<readonly DecidedCommission[]>;
  /** Called after each request. */
  readonly onProgress: (progress: Progress) => void;
  /** Stops after the current request. */
  readonly signal: AbortSignal;
}

/**
 * Decides the remaining commissions in consecutive requests of 100. After an error it can continue with those that are
 * left; none is decided twice.
 * @throws ApiError
 */
export async function decideAll(
  from: Progress,
  decision: Decision,
  { send, onProgress, signal }: DecideAllOptions,
): Promise<void> {
  let progress = from;
  while (progress.left.length > 0 && !signal.aborted) {
    const decided = await send(progress.left.slice(0, CHUNK));
    // If a reply was lost, the repeated rejection is refused although the first one succeeded. A row that has the
    // wanted status therefore counts as decided.
    const refused = decided.filter(({ status }) => status === null || !changes[decision].to.includes(status));
    progress = {
      done: progress.done + decided.length - refused.length,
      refused: [...progress.refused, ...refused],
      left: progress.left.slice(CHUNK),
    };
    onProgress(progress);
  }
}

/** Adds commissions that failed, or may have failed, to those that are still to do. */
export function repeated({ done, refused, left }: Progress, decision: Decision): Progress {
  const mayBecome = ({ status }: DecidedCommission) => status === null || changes[decision].from.includes(status);
  return {
    done,
    refused: refused.filter((one) => !mayBecome(one)),
    left: [...left, ...refused.filter(mayBecome).map(({ id }) => id)],
  };
}

/** The total per currency: `$1,293.60 and €40.00`. */
export function totalText(commissions: readonly Pick<Commission, 'payable_cents' | 'currency'>[]): string {
  const totals = new Map<string, number>();
  for (const { payable_cents: cents, currency } of commissions) {
    totals.set(currency, (totals.get(currency) ?? 0) + cents);
  }
  return [...totals].map(([currency, cents]) => moneyText(cents, currency)).join(' and ') || 'nothing';
}

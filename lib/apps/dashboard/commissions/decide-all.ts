import { moneyText } from '#lib/apps/web/format.ts';
import type { Commission, CommissionStatus, DecidedCommission } from '#lib/wire/earnings/commission.ts';

export type Decision = 'approve' | 'reject' | 'release';

/** What waits for a decision: for its hold or for somebody, or because a rule held it. */
export type OpenStatus = 'pending' | 'held';

export const verbs = { approve: 'Approve', reject: 'Reject', release: 'Release' } as const;

/** What is done to commissions by a decision. */
export const outcomes = {
  approve: 'approved',
  reject: 'rejected',
  release: 'released',
} as const satisfies Record<Decision, string>;

interface Change {
  readonly from: readonly CommissionStatus[];
  readonly to: readonly CommissionStatus[];
}

/** As a status reads: a commission whose hold is over may be released to an approved one. */
const changes: Readonly<Record<Decision, Change>> = {
  approve: { from: ['pending'], to: ['approved'] },
  reject: { from: ['pending', 'held'], to: ['rejected'] },
  release: { from: ['held'], to: ['pending', 'approved'] },
};

/** As many as one request may decide. */
const CHUNK = 100;

/** How far many decisions have come. */
export interface Progress {
  /** How many are as they should be. */
  readonly done: number;
  /** What the service did not decide, with its reasons. */
  readonly refused: readonly DecidedCommission[];
  /** Ids that were not answered yet: not sent, or sent without an answer. */
  readonly left: readonly number[];
}

export const begun = (ids: readonly number[]): Progress => ({ done: 0, refused: [], left: ids });

interface DecideAllOptions {
  readonly send: (ids: readonly number[]) => Promise<readonly DecidedCommission[]>;
  /** Called behind each request. */
  readonly onProgress: (progress: Progress) => void;
  /** Ends it behind the request that is under way. */
  readonly signal: AbortSignal;
}

/**
 * Decides what is left, in requests of 100, one after the other. After an error it can go on with what is left then:
 * nothing is decided twice.
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
    // A rejection that is repeated, because its answer was lost, is refused and has become true.
    const refused = decided.filter(({ status }) => status === null || !changes[decision].to.includes(status));
    progress = {
      done: progress.done + decided.length - refused.length,
      refused: [...progress.refused, ...refused],
      left: progress.left.slice(CHUNK),
    };
    onProgress(progress);
  }
}

/** The same with those left again that failed, or could not be told from failed ones. */
export function repeated({ done, refused, left }: Progress, decision: Decision): Progress {
  const mayBecome = ({ status }: DecidedCommission) => status === null || changes[decision].from.includes(status);
  return {
    done,
    refused: refused.filter((one) => !mayBecome(one)),
    left: [...left, ...refused.filter(mayBecome).map(({ id }) => id)],
  };
}

/** What these come to, in each currency: `$1,293.60 and €40.00`. */
export function totalText(commissions: readonly Pick<Commission, 'payable_cents' | 'currency'>[]): string {
  const totals = new Map<string, number>();
  for (const { payable_cents: cents, currency } of commissions) {
    totals.set(currency, (totals.get(currency) ?? 0) + cents);
  }
  return [...totals].map(([currency, cents]) => moneyText(cents, currency)).join(' and ') || 'nothing';
}

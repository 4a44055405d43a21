import type { LineStatus } from '#lib/wire/earnings/line-status.ts';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

/**
 * What became of a payout as a whole: the earliest status among its lines. Failed and void lines count only if there are
 * no others.
 */
export function payoutState({
  status,
  by_status: by,
}: Pick<ListedPayout, 'status' | 'by_status'>): LineStatus | 'open' | 'partly sent' {
  if (status === 'open') return 'open';
  if (by.recorded.lines > 0) return by.sent.lines + by.paid.lines > 0 ? 'partly sent' : 'recorded';
  if (by.sent.lines > 0) return 'sent';
  if (by.paid.lines > 0) return 'paid';
  return by.failed.lines > 0 ? 'failed' : 'void';
}

import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import { lineTones } from '#lib/apps/dashboard/payouts/lines/line-status-badge.tsx';
import { payoutState } from '#lib/apps/dashboard/payouts/payout-state.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

/** What became of a payout, in the words of its lines. */
export function PayoutStatusBadge({ of }: { readonly of: Pick<ListedPayout, 'status' | 'by_status'> }) {
  const state = payoutState(of);
  if (state === 'open') return <Badge tone="waiting">Not finished</Badge>;
  if (state === 'partly sent') return <Badge tone="waiting">Partly sent</Badge>;
  return <Badge tone={lineTones[state]}>{lineStatusNames[state]}</Badge>;
}

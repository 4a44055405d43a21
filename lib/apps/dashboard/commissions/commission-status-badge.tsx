import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { LineStatusBadge } from '#lib/apps/dashboard/payouts/lines/line-status-badge.tsx';
import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import type { Commission, CommissionStatus } from '#lib/wire/earnings/commission.ts';

const statuses: Readonly<Record<CommissionStatus, { readonly tone: Tone; readonly text: string }>> = {
  held: { tone: 'waiting', text: 'Held for review' },
  pending: { tone: 'waiting', text: 'Pending' },
  approved: { tone: 'good', text: 'Approved' },
  paid: { tone: 'plain', text: 'Paid' },
  rejected: { tone: 'bad', text: 'Rejected' },
  reversed: { tone: 'bad', text: 'Reversed' },
};

/**
 * The status of a commission. In a payout it is that of its line, because the service does not know when money arrives.
 */
export const CommissionStatusBadge = ({ commission }: { readonly commission: Commission }) => {
  const { status, payout_status: line } = commission;
  const { tone, text } = statuses[status];
  return (
    <>
      {status === 'paid' && line !== null ? <LineStatusBadge status={line} /> : <Badge tone={tone}>{text}</Badge>}{' '}
      {commission.flags.length > 0 && commission.status !== 'held' && <Badge tone="waiting">Flagged</Badge>}{' '}
      {commission.needs_review && <Badge tone="bad">Changed since</Badge>}
      {commission.rejection_reason && <div class="muted">{commission.rejection_reason}</div>}
      {commission.reversal_reason && <div class="muted">after a {commission.reversal_reason}</div>}
    </>
  );
};

/** The payout of a commission; for one that was taken back, also what became of the payout's line. */
export const payoutOf = ({ status, payout_id: payoutId, payout_status: line }: Commission): string | undefined => {
  if (payoutId === null || line === null) return undefined;
  return `payout ${payoutId}${status === 'paid' ? '' : ` (${lineStatusNames[line].toLowerCase()})`}`;
};

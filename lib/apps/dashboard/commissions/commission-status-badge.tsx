import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { lineStatusNames } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import type { Commission, CommissionStatus } from '#lib/wire/earnings/commission.ts';

const statuses: Readonly<Record<CommissionStatus, { readonly tone: Tone; readonly text: string }>> = {
  held: { tone: 'waiting', text: 'Held for review' },
  pending: { tone: 'waiting', text: 'Pending' },
  approved: { tone: 'good', text: 'Approved' },
  paid: { tone: 'plain', text: 'Paid' },
  rejected: { tone: 'bad', text: 'Rejected' },
  reversed: { tone: 'bad', text: 'Reversed' },
};

export const CommissionStatusBadge = ({ commission }: { readonly commission: Commission }) => {
  const { tone, text } = statuses[commission.status];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
      {commission.flags.length > 0 && commission.status !== 'held' && <Badge tone="waiting">Flagged</Badge>}{' '}
      {commission.needs_review && <Badge tone="bad">Changed after payment</Badge>}
      {commission.payout_id !== null && commission.payout_status !== null && (
        <div class="muted">
          payout {commission.payout_id}: {lineStatusNames[commission.payout_status].toLowerCase()}
        </div>
      )}
      {commission.rejection_reason && <div class="muted">{commission.rejection_reason}</div>}
      {commission.reversal_reason && <div class="muted">after a {commission.reversal_reason}</div>}
    </>
  );
};

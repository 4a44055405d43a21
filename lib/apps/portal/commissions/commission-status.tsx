import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import { paymentTones } from '#lib/apps/portal/payouts/payout-status.tsx';
import type { PortalCommission } from '#lib/wire/reports/portal-figures.ts';

const statuses: Readonly<Record<PortalCommission['status'], { readonly tone: Tone; readonly text: string }>> = {
  in_review: { tone: 'waiting', text: 'In review' },
  pending: { tone: 'waiting', text: 'Pending' },
  approved: { tone: 'good', text: 'Ready' },
  paid: { tone: 'good', text: 'Paid' },
  rejected: { tone: 'bad', text: 'Rejected' },
  reversed: { tone: 'bad', text: 'Taken back' },
};

/** Why a commission was taken back. */
export const reversals = {
  refund: 'The customer got the money back.',
  chargeback: 'The payment was taken back.',
  duplicate: 'The payment is counted by another sale.',
} as const;

interface OfProps {
  readonly of: PortalCommission;
}

/** A commission that is in a payout has the status of that payment, because it is paid only when the payment is. */
export function CommissionBadge({ of: { status, payout_status: ofPayment } }: OfProps) {
  if (status === 'paid' && ofPayment !== null) {
    return <Badge tone={paymentTones[ofPayment]}>{lineStatusNames[ofPayment]}</Badge>;
  }
  const { tone, text } = statuses[status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Shows the status of a commission and, if it was rejected or taken back, the reason. */
export const CommissionStatus = ({ of }: OfProps) => (
  <>
    <CommissionBadge of={of} />
    {of.rejection_reason && <div class="muted">{of.rejection_reason}</div>}
    {of.reversal_reason && <div class="muted">{reversals[of.reversal_reason]}</div>}
  </>
);

/** Says what earned the commission. */
export const kindTexts: Readonly<Record<PortalCommission['kind'], string>> = {
  sale: 'Sale',
  lead: 'Signup',
  manual: 'From the brand',
};

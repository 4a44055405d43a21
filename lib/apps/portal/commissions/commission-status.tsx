import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import type { PortalCommission } from '#lib/wire/reports/portal-figures.ts';

const statuses: Readonly<Record<PortalCommission['status'], { readonly tone: Tone; readonly text: string }>> = {
  in_review: { tone: 'waiting', text: 'In review' },
  pending: { tone: 'waiting', text: 'Pending' },
  approved: { tone: 'good', text: 'Ready' },
  paid: { tone: 'plain', text: 'Paid' },
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

export const CommissionBadge = ({ of: { status } }: OfProps) => (
  <Badge tone={statuses[status].tone}>{statuses[status].text}</Badge>
);

/**
 * How far the payment of a paid commission is. Failed or voided payments are missing, because their commissions are no
 * longer paid.
 */
const onTheWay: Readonly<Partial<Record<NonNullable<PortalCommission['payout_status']>, string>>> = {
  recorded: 'will be sent',
  sent: 'on the way',
};

/** Shows the status of a commission and, if it was rejected or taken back, the reason. */
export const CommissionStatus = ({ of }: OfProps) => (
  <>
    <CommissionBadge of={of} />
    {of.payout_status !== null && of.status === 'paid' && <div class="muted">{onTheWay[of.payout_status]}</div>}
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

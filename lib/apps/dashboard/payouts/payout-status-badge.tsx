import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

/** Shows the status of a payout. It does not say "paid", because the service does not know when the money arrives. */
export const PayoutStatusBadge = ({ status }: Pick<ListedPayout, 'status'>) =>
  status === 'made' ? <Badge tone="good">Recorded</Badge> : <Badge tone="waiting">Not finished</Badge>;

import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

/** The status of a payout. It is not labelled "paid", because the service does not know when the money arrives. */
export const PayoutStatusBadge = ({ status }: Pick<ListedPayout, 'status'>) =>
  status === 'made' ? <Badge tone="good">Recorded</Badge> : <Badge tone="waiting">Not finished</Badge>;

import { SaleLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface CommissionSourceProps {
  readonly commission: Commission;
  readonly programId: number;
}

/** Says what earned the commission, with a link to it. */
export function CommissionSource({ commission, programId }: CommissionSourceProps) {
  if (commission.kind === 'lead') return <a href={programPath('customer', programId, commission.click_id)}>Signup</a>;
  if (commission.kind === 'sale') return <SaleLink transactionId={commission.transaction_id} programId={programId} />;
  return (
    <>
      {commission.amount_cents < 0 ? 'Deduction' : 'Manual'}
      <div class="muted">{commission.reason}</div>
      {commission.external_id !== null && <code>{commission.external_id}</code>}
    </>
  );
}

/** Returns a name by which people tell commissions apart: for a sale, its transaction id. */
export function sourceName(commission: Commission): string {
  if (commission.kind === 'lead') return `the signup of ${commission.click_id}`;
  return commission.kind === 'sale' ? commission.transaction_id : commission.reason;
}

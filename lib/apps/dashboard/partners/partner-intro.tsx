import { Badge } from '#lib/apps/web/parts/badge.tsx';
import { Day } from '#lib/apps/web/parts/time.tsx';
import type { Partner } from '#lib/wire/partner.ts';

/** Who a partner is, in one line below the name. */
export const PartnerIntro = ({ partner }: { readonly partner: Partner }) => (
  <>
    {partner.status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Removed</Badge>}{' '}
    <a href={`mailto:${partner.email}`}>{partner.email}</a> · partner since <Day at={partner.created_at} /> · ID{' '}
    {partner.id}
  </>
);

export const RemovedNotice = ({ name }: { readonly name: string }) => (
  <div class="notice warning">
    <p>
      <strong>
        <bdi>{name}</bdi> was removed from this program.
      </strong>{' '}
      Their links count no clicks, and new sales of their customers are not recorded. What they have earned stays
      theirs. Take them back, and clicks and new sales count again.
    </p>
  </div>
);

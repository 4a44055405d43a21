import { isCandidate, PartnerStatus } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { Day } from '#lib/apps/web/parts/time.tsx';
import type { Partner } from '#lib/wire/partner.ts';

/** Who a partner is, in one line below the name. */
export const PartnerIntro = ({ partner }: { readonly partner: Partner }) => (
  <>
    <PartnerStatus of={partner.status} /> <a href={`mailto:${partner.email}`}>{partner.email}</a> ·{' '}
    {isCandidate(partner) ? 'no partner yet' : since(partner)} · ID {partner.id}
  </>
);

const since = ({ joined_at: joinedAt, created_at: createdAt }: Partner) => (
  <>
    partner since <Day at={joinedAt ?? createdAt} />
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

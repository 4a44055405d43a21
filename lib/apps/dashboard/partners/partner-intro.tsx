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

export const RemovedNotice = ({ partner: { name, left_at: leftAt } }: { readonly partner: Partner }) => (
  <div class="notice warning">
    <p>
      <strong>
        {leftAt === null ? (
          <>
            <bdi>{name}</bdi> was removed from this program.
          </>
        ) : (
          <>
            <bdi>{name}</bdi> left this program on <Day at={leftAt} />.
          </>
        )}
      </strong>{' '}
      Their links count no clicks, and new sales of their customers are not recorded. What they have earned stays
      theirs.{' '}
      {leftAt === null
        ? 'Take them back, and clicks and new sales count again.'
        : 'Invite them again: once they accept, clicks and new sales count again.'}
    </p>
  </div>
);

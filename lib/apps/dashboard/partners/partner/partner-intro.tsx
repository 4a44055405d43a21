import { isCandidate, PartnerStatus } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { MailLink } from '#lib/apps/web/parts/figures/mail-link.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

export const PartnerIntro = ({ partner }: { readonly partner: Partner }) => (
  <>
    <PartnerStatus of={partner.status} /> {partner.email === null ? 'account closed' : <MailLink to={partner.email} />}{' '}
    · {isCandidate(partner) ? 'no partner yet' : since(partner)} · ID {partner.id}
  </>
);

const since = ({ joined_at: joinedAt, created_at: createdAt }: Partner) =>
  joinedAt === null ? (
    <>
      added on <Day at={createdAt} />, has not accepted yet
    </>
  ) : (
    <>
      partner since <Day at={joinedAt} />
    </>
  );

function wayBack(leftAt: string | null, email: string | null): string {
  if (email === null) return 'They have closed their account.';
  return leftAt === null
    ? 'Take them back, and clicks and new sales count again. Payout details are shared once they accept again.'
    : 'Invite them again: once they accept, clicks and new sales count again.';
}

export const RemovedNotice = ({ partner: { name, email, left_at: leftAt } }: { readonly partner: Partner }) => (
  <div class="notice warning">
    <p>
      <strong>
        {leftAt === null ? (
          <>
            <bdi>{name}</bdi> was removed from this program.
          </>
        ) : (
          <>
            <bdi>{name}</bdi> left this program, or declined, on <Day at={leftAt} />.
          </>
        )}
      </strong>{' '}
      Their links count no clicks, and new sales of their customers are not recorded. What they have earned stays
      theirs. {wayBack(leftAt, email)}
    </p>
  </div>
);

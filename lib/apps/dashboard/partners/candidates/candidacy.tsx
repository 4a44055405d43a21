import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

/** Shows how a person became a partner, or wants to become one. */
export function Candidacy({ partner }: { readonly partner: Partner }) {
  const { application, invited_at: invitedAt, rejection_reason: reason, accepted_terms: terms } = partner;
  const { promised_link: link, promised_code: code } = partner;
  if (!application && !invitedAt && !terms) return null;
  return (
    <Facts title={partner.status === 'applied' ? 'Application' : 'How they came'}>
      {invitedAt && (
        <Fact name="Invited">
          <Minute at={invitedAt} />
        </Fact>
      )}
      {link !== null && (
        <Fact name="Promised link">
          <span class="identifier">{link}</span> <span class="muted">on accepting</span>
        </Fact>
      )}
      {code !== null && (
        <Fact name="Promised code">
          <span class="identifier">{code}</span>{' '}
          <span class="muted">on accepting, unless you give it to another partner before</span>
        </Fact>
      )}
      {application && (
        <>
          <Fact name="Applied">
            <Minute at={application.applied_at} />
            {application.queued && (
              <span class="muted">, in the queue: many came on this day from one network, or one domain of mail</span>
            )}
          </Fact>
          {application.website && (
            <Fact name="Website">
              <a href={application.website} target="_blank" rel="noreferrer">
                {application.website}
              </a>
            </Fact>
          )}
          {application.message && (
            <Fact name="Message">
              <span class="written">{application.message}</span>
            </Fact>
          )}
        </>
      )}
      {reason && <Fact name="Rejected because">{reason}</Fact>}
      {terms && (
        <Fact name="Accepted terms">
          Version {terms.version}, <Minute at={terms.accepted_at} />
        </Fact>
      )}
    </Facts>
  );
}

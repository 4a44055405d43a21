import { usePartnerName } from '#lib/apps/dashboard/hooks/use-partner-name.ts';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

function whyNone({ joined_at: joinedAt, status }: Partner): string {
  if (status === 'removed') return 'Former partners do not share their payout details.';
  return joinedAt === null
    ? 'The partner has not accepted yet: no payout details. Ask them to sign in to the partner portal and accept.'
    : 'The partner has not said yet where payouts go.';
}

/** A link to a partner of whom only the id is known. Shows the id until the name is loaded. */
const NamedPartner = ({ id }: { readonly id: number }) => <PartnerLink id={id} name={usePartnerName(String(id))} />;

/** Lists other partners who are paid to the same account. All of them may be one person who joined several times. */
export const SameAccount = ({ ids }: { readonly ids: Partner['same_account'] }) =>
  ids.length === 0 ? null : (
    <div>
      <Badge tone="bad">Same account</Badge> as{' '}
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <NamedPartner id={id} />
        </span>
      ))}
    </div>
  );

/** Shows a partner's payout details, of which members see only a part, and why payouts may be on hold. */
export function PaidTo({ partner }: { readonly partner: Partner }) {
  const { api } = useSession();
  const { payout } = partner;
  if (payout === null) return <p class="hint">{whyNone(partner)}</p>;
  const { method, masked, updated_at: changedAt, held_until: until } = payout;
  // On the last day, the hold may already be over. The text is still shown, because it contains the exact time of the
  // end.
  const isHeld = until !== null && until.slice(0, 10) >= api.today();
  return (
    <div class="hint">
      <p>
        Paid to: {payoutMethods[method]} <span class="identifier">{masked}</span>, since <Minute at={changedAt} />
      </p>
      <SameAccount ids={partner.same_account} />
      {isHeld && (
        <p>
          Payouts leave this partner out until <Minute at={until} />, because these details were changed: whoever took
          over their account must not be paid.
        </p>
      )}
    </div>
  );
}

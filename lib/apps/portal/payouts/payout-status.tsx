import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalPayout } from '#lib/wire/reports/portal-figures.ts';

/** The tones of the statuses for the partner, to whom a sent payment is still one to wait for. */
export const paymentTones: Readonly<Record<PortalPayout['status'], Tone>> = {
  recorded: 'waiting',
  sent: 'waiting',
  paid: 'good',
  failed: 'bad',
  void: 'bad',
};

/** Says whether the money was sent or has arrived, when, and otherwise why not. */
export function PayoutStatus({ of: { status, sent_at, paid_at, reason } }: { readonly of: PortalPayout }) {
  const { isOwnersView } = useProgram();
  const isReturned = status === 'failed' || status === 'void';
  const since = isReturned ? null : (paid_at ?? sent_at);
  return (
    <>
      <Badge tone={paymentTones[status]}>{lineStatusNames[status]}</Badge>{' '}
      {since !== null && (
        <span class="muted">
          <Day at={since} />
        </span>
      )}
      {isReturned && (
        <div class="muted">
          {reason !== null && `${reason.replace(/\.$/, '')}. `}The amount is due again, with the next payout.
          {status === 'failed' && !isOwnersView && (
            <>
              {' '}
              <a href={portalPaths.payoutDetails}>Check your payout details</a>
            </>
          )}
        </div>
      )}
    </>
  );
}

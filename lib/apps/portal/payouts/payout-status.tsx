import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalPayout } from '#lib/wire/reports/portal-figures.ts';

/** The statuses of a payment, in the words that the brand reads, too. */
export const paymentStatuses: Readonly<Record<PortalPayout['status'], { readonly tone: Tone; readonly text: string }>> =
  {
    recorded: { tone: 'waiting', text: 'Recorded' },
    sent: { tone: 'waiting', text: 'Sent' },
    paid: { tone: 'good', text: 'Paid' },
    failed: { tone: 'bad', text: 'Failed' },
    void: { tone: 'bad', text: 'Void' },
  };

/** Says whether the money was sent or has arrived, when, and otherwise why not. */
export function PayoutStatus({ of: { status, sent_at, paid_at, reason } }: { readonly of: PortalPayout }) {
  const { isOwnersView } = useProgram();
  const { tone, text } = paymentStatuses[status];
  const isReturned = status === 'failed' || status === 'void';
  const since = isReturned ? null : (paid_at ?? sent_at);
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
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

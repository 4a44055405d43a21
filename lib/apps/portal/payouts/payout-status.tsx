import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { PortalPayout } from '#lib/wire/reports/portal-figures.ts';

const statuses: Readonly<Record<PortalPayout['status'], { readonly tone: Tone; readonly text: string }>> = {
  recorded: { tone: 'waiting', text: 'Will be sent' },
  sent: { tone: 'waiting', text: 'On the way' },
  paid: { tone: 'good', text: 'Paid' },
  failed: { tone: 'bad', text: 'Returned' },
  void: { tone: 'bad', text: 'Cancelled' },
};

/** Says whether the money was sent or has arrived, when, and otherwise why not. */
export function PayoutStatus({ of: { status, sent_at, paid_at, reason } }: { readonly of: PortalPayout }) {
  const { tone, text } = statuses[status];
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
        </div>
      )}
    </>
  );
}

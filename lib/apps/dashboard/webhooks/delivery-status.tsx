import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import type { WebhookDelivery } from '#lib/wire/outbox/webhook.ts';

const statuses: Readonly<Record<WebhookDelivery['status'], readonly [Tone, string]>> = {
  pending: ['waiting', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
};

export function DeliveryStatus({ delivery }: { readonly delivery: WebhookDelivery }) {
  const [tone, text] = statuses[delivery.status];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {delivery.slowed && <span class="muted"> Slowed</span>}
    </>
  );
}

/**
 * Explains why there was no attempt to send a delivery. If such a delivery failed, its endpoint was disabled when it
 * was due.
 */
export const noAttemptText = ({ status }: Pick<WebhookDelivery, 'status'>): string =>
  status === 'failed' ? 'None: the endpoint was disabled' : 'None yet';

export const attemptText = ({ status_code: status, error }: WebhookDelivery['attempts'][number]): string =>
  [status === null ? undefined : `Answered ${status}`, error].filter(Boolean).join(', ');

import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import type { WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

const statuses: Readonly<Record<WebhookEndpoint['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  paused: ['waiting', 'Paused'],
  disabled: ['bad', 'Disabled'],
};

export function EndpointStatus({ endpoint: { status, failing_since: since } }: { readonly endpoint: WebhookEndpoint }) {
  const [tone, text] = status === 'active' && since !== null ? (['bad', 'Failing'] as const) : statuses[status];
  return <Badge tone={tone}>{text}</Badge>;
}

export const hostOf = ({ url }: Pick<WebhookEndpoint, 'url'>): string => new URL(url).host;

import type { Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import type { LineStatus } from '#lib/wire/earnings/line-status.ts';

export const lineTones: Readonly<Record<LineStatus, Tone>> = {
  recorded: 'waiting',
  sent: 'plain',
  paid: 'good',
  failed: 'bad',
  void: 'bad',
};

export const LineStatusBadge = ({ status }: { readonly status: LineStatus }) => (
  <Badge tone={lineTones[status]}>{lineStatusNames[status]}</Badge>
);

import { Badge, type Tone } from '#lib/apps/web/parts/badge.tsx';
import type { Option } from '#lib/apps/web/parts/option.ts';
import type { Partner } from '#lib/wire/partner.ts';

type Status = Partner['status'];

const statuses: Readonly<Record<Status, { readonly tone: Tone; readonly text: string }>> = {
  active: { tone: 'good', text: 'Active' },
  applied: { tone: 'waiting', text: 'Applied' },
  invited: { tone: 'waiting', text: 'Invited' },
  expired: { tone: 'plain', text: 'Invitation ended' },
  rejected: { tone: 'bad', text: 'Rejected' },
  removed: { tone: 'bad', text: 'Removed' },
};

export const PartnerStatus = ({ of }: { readonly of: Status }) => (
  <Badge tone={statuses[of].tone}>{statuses[of].text}</Badge>
);

/** To choose from in a list. */
export const partnerStatuses: readonly Option[] = [
  ['', 'All'],
  ...Object.entries(statuses).map(([status, { text }]): Option => [status, text]),
];

/** A person who is not, or not yet, a partner: nothing counts for them. */
export const isCandidate = ({ status }: Pick<Partner, 'status'>): boolean => !['active', 'removed'].includes(status);

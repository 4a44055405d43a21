import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

type Status = Partner['status'];

const statuses: Readonly<Record<Status, { readonly tone: Tone; readonly text: string }>> = {
  active: { tone: 'good', text: 'Active' },
  applied: { tone: 'waiting', text: 'Applied' },
  invited: { tone: 'waiting', text: 'Invited' },
  expired: { tone: 'plain', text: 'Invitation ended' },
  rejected: { tone: 'bad', text: 'Rejected' },
  removed: { tone: 'bad', text: 'Removed' },
};

/** Whether an application is listed after all others. */
const isQueued = ({ application }: Pick<Partner, 'application'>): boolean => application?.queued === true;

export const PartnerStatusOf = ({ partner }: { readonly partner: Pick<Partner, 'status' | 'application'> }) =>
  isQueued(partner) ? <Badge tone="plain">Applied, in the queue</Badge> : <PartnerStatus of={partner.status} />;

export const PartnerStatus = ({ of }: { readonly of: Status }) => (
  <Badge tone={statuses[of].tone}>{statuses[of].text}</Badge>
);

export const partnerStatuses: readonly Option[] = [
  ['', 'All'],
  ...Object.entries(statuses).map(([status, { text }]): Option => [status, text]),
];

/** Options of a filter. Applications are listed separately if many came from the same network or mail domain. */
export const queueChoices: readonly Option[] = [
  ['', 'At the end'],
  ['false', 'Left out'],
  ['true', 'Only the queue'],
];

/** Whether the person is not a partner, so that nothing the person brings is counted. */
export const isCandidate = ({ status }: Pick<Partner, 'status'>): boolean => !['active', 'removed'].includes(status);

import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

type Story = Pick<CustomerHistory, 'customer' | 'clicks' | 'timeline'>;
type Step = CustomerHistory['timeline'][number];

/** The step in which an owner unlinked the customer. */
export const unlinkingOf = ({ timeline }: Pick<Story, 'timeline'>): Step | undefined =>
  timeline.find(({ kind }) => kind === 'customer');

/** The step in which the customer's personal data was erased. */
export const erasureOf = ({ timeline }: Pick<Story, 'timeline'>): Step | undefined =>
  timeline.find(({ kind }) => kind === 'erasure');

export interface Attribution {
  readonly title: string;
  readonly text: string;
}

/** Whether and to whom a customer is attributed, with the reason. */
export function attributionOf(story: Story): Attribution {
  const { partner_id: partnerId, partner_name: name } = story.customer;
  const partner = name ?? `partner ${partnerId}`;
  if (partnerId === null) {
    return {
      title: 'Attributed to no partner',
      text: `${cameText(story)}, but the operator of this service took the customer off its partner. New payments earn no commission; what was recorded before stays.`,
    };
  }
  if (unlinkingOf(story)) {
    return {
      title: `No longer attributed to ${partner}`,
      text: `${cameText(story)} of ${partner}, and an owner has unlinked the customer since. Nothing new counts for this customer; what was recorded before stays.`,
    };
  }
  if (erasureOf(story)) {
    return {
      title: `Was attributed to ${partner}`,
      text: `${cameText(story)} of ${partner}. Nothing new counts for this customer; what was recorded before stays.`,
    };
  }
  return {
    title: `Attributed to ${partner}`,
    text: [`${cameText(story)} of ${partner}.`, formerPartnerText(story), laterClickText(story), progressText(story)]
      .filter(Boolean)
      .join(' '),
  };
}

const cameText = ({ customer: { code, short_link: link } }: Story): string =>
  code === null ? `The first click came through link ${link}` : `The customer came by code ${code}`;

/** Explains that a code may have won the customer despite an earlier click. */
function formerPartnerText({ customer: { code, short_link: link }, clicks }: Story): string {
  if (code === null || link === null) return '';
  const former = clicks.find(({ first }) => first)?.partner_name;
  return `The first click had come through link ${link}${former ? ` of ${former}` : ''}.`;
}

const laterClickText = ({ customer, clicks }: Story): string =>
  customer.code === null && clicks.some(({ first, partner_id: id }) => !first && id !== customer.partner_id)
    ? 'Later clicks through links of others do not change that.'
    : '';

function progressText({ customer: { status, lead_state: leadState } }: Story): string {
  if (status !== 'click') return '';
  return leadState === 'provisional'
    ? 'The signup was reported by a browser, and your server has not confirmed it yet.'
    : 'No signup and no payment is recorded yet.';
}

import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

type Story = Pick<CustomerHistory, 'customer' | 'clicks' | 'timeline'>;
type Step = CustomerHistory['timeline'][number];

/** The entry of the timeline that says that an owner unlinked the customer from the partner. */
export const unlinkingOf = ({ timeline }: Pick<Story, 'timeline'>): Step | undefined =>
  timeline.find(({ kind }) => kind === 'customer');

/** The entry of the timeline that says that the customer's personal data were erased. */
export const erasureOf = ({ timeline }: Pick<Story, 'timeline'>): Step | undefined =>
  timeline.find(({ kind }) => kind === 'erasure');

export interface Attribution {
  readonly title: string;
  readonly text: string;
}

/** Explains to which partner a customer is attributed, or that it is attributed to none. */
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

/** If a coupon code brought the customer to another partner, says through which link the first click came. */
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

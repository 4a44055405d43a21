import type { WebhookEventType } from '#lib/wire/outbox/fact.ts';
import type { WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

type ChosenEvent = Exclude<WebhookEventType, 'endpoint.test'>;

/** Describes each type of event in a few words. */
const eventTexts: Readonly<Record<ChosenEvent, string>> = {
  'click.recorded': 'Somebody came through a referral link',
  'lead.recorded': 'Somebody signed up',
  'lead.settled': 'A sign-up was confirmed',
  'sale.recorded': 'A sale was recorded',
  'sale.updated': 'What is known of a sale changed',
  'sale.reattributed': 'A sale got another partner',
  'sale.refunded': 'A sale was refunded',
  'sale.disputed': 'A payment is disputed',
  'commission.created': 'A partner earned a commission',
  'commission.held': 'A rule held a commission for review',
  'commission.released': 'A held commission was released',
  'commission.approved': 'A commission was approved',
  'commission.reopened': 'An approval or a rejection was taken back',
  'commission.rejected': 'A commission was rejected',
  'commission.reduced': 'A refund reduced a commission',
  'commission.reversed': 'A refund took a commission back',
  'commission.restored': 'A commission is back after a dispute',
  'commission.recalculated': 'A commission was computed anew',
  'commission.paid': 'A commission was paid out',
  'commission.unpaid': 'The payment of a commission failed or was voided',
  'payout.created': 'A payout was recorded',
  'payout.line_changed': 'A line of a payout got another status',
  'partner.added': 'A partner joined or was added',
  'partner.applied': 'Somebody asks to become a partner',
  'partner.removed': 'A partner left or was removed',
  'link.created': 'A referral link was made',
  'code.created': 'A coupon code was added',
  'key.rotation_due': 'The program key must be replaced',
};

export const chosenEvents = Object.entries(eventTexts) as readonly (readonly [ChosenEvent, string])[];

export type SubscribedEvents = WebhookEndpoint['events'];

export const isToAll = (events: SubscribedEvents): boolean => events.includes('*');

/** Says briefly to which types of events an endpoint is subscribed. */
export function eventsText(events: SubscribedEvents): string {
  if (isToAll(events)) return events.includes('click.recorded') ? 'All' : 'All but clicks';
  return events.join(', ');
}

/** Lists the types of events that the endpoint gets. */
export const eventsOf = (events: SubscribedEvents): readonly string[] =>
  chosenEvents
    .map(([name]) => name)
    .filter((name) => events.includes(name) || (isToAll(events) && name !== 'click.recorded'));

import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';
import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { TrafficSettings } from '#lib/service/programs/terms/rules.ts';
import { type Day, dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { fullDemo, removedPartner } from '#infra/local/demo/demo-partners.ts';
import { type Fate, type Purchase, purchasesOf, signupsOf, type Signup } from '#infra/local/demo/demo-purchases.ts';
import { type Arrival, arrivalsOf, demoRules, whenRulesBegin } from '#infra/local/demo/demo-traffic.ts';
import {
  type Calendar,
  calendarUntil,
  HOUR_MS,
  isReturning,
  type Visitor,
  visitorsIn,
  whenRemoved,
} from '#infra/local/demo/demo-visitors.ts';

/** One step of the demo's history: something that a visitor, a partner or the owner does at a given time. */
export type Step = { readonly at: Date } & (
  | { readonly kind: 'link'; readonly link: string; readonly email: string }
  | {
      readonly kind: 'click';
      readonly link: string;
      readonly from: string;
      readonly clickId: string;
      readonly isReturn: boolean;
      /** Where the click came from and its quality; undefined for an ordinary click. */
      readonly arrival?: Arrival;
    }
  | { readonly kind: 'lead'; readonly clickId: string; readonly customerKey: string }
  | { readonly kind: 'sale'; readonly purchase: Purchase }
  | { readonly kind: 'payment'; readonly purchase: Purchase }
  | {
      readonly kind: 'refund';
      readonly transactionId: string;
      readonly reason: RefundReason;
      readonly totalCents?: number;
    }
  | { readonly kind: 'approval'; readonly transactionId: string }
  | { readonly kind: 'rejection'; readonly transactionId: string; readonly reason: string }
  | { readonly kind: 'rules'; readonly settings: TrafficSettings }
  | { readonly kind: 'removal'; readonly email: string }
  | { readonly kind: 'details'; readonly email: string; readonly name: string; readonly details: PayoutDetails }
  | { readonly kind: 'payout'; readonly through: Day }
  /** Sets the payment reference of the latest payout. */
  | { readonly kind: 'reference'; readonly reference: string }
  /** Marks all lines of the latest payout as sent. */
  | { readonly kind: 'sent' }
);

/**
 * Plans the history of the demo's program: about 1,750 clicks, 210 leads and 75 sales, and the owner's decisions about
 * their commissions. The same end time always gives the same history.
 * @returns steps in order of time
 */
export function planHistory(end: Date): Step[] {
  const calendar = calendarUntil(end);
  const visitors = visitorsIn(calendar);
  const signups = signupsOf(calendar, visitors);
  const purchases = purchasesOf(calendar, signups);
  const arrivals = arrivalsOf(calendar, visitors, signups, purchases);
  return [
    ...linksIn(calendar),
    ...visitors.map((visitor) => clickOf(visitor, arrivals.get(visitor.clickId))),
    ...signups.map(leadOf),
    ...purchases.flatMap((purchase) => [paymentOf(purchase), ...consequencesOf(calendar, purchase)]),
    { kind: 'rules' as const, at: new Date(whenRulesBegin(calendar)), settings: demoRules },
    { kind: 'removal' as const, at: new Date(whenRemoved(calendar)), email: removedPartner.email },
    ...detailsIn(calendar),
    ...payoutsIn(calendar),
  ]
    .filter(({ at }) => at <= end)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Creates the further links of partners. Each partner's first link already exists. */
const linksIn = ({ at }: Calendar): Step[] =>
  fullDemo.flatMap(({ email, links: [, ...further] }) =>
    further.map((link): Step => ({ kind: 'link', at: new Date(at(0)), link, email })),
  );

export const clickOf = (visitor: Visitor, arrival?: Arrival): Step => ({
  kind: 'click',
  at: new Date(visitor.at),
  link: visitor.link,
  from: arrival?.from ?? visitor.partner.site,
  clickId: visitor.clickId,
  isReturn: isReturning(visitor),
  ...(arrival && !isReturning(visitor) && { arrival }),
});

export const leadOf = ({ signedUpAt, clickId, customerKey }: Signup): Step => ({
  kind: 'lead',
  at: new Date(signedUpAt),
  clickId,
  customerKey,
});

export const paymentOf = (purchase: Purchase): Step => ({
  kind: purchase.isByStripe ? 'payment' : 'sale',
  at: new Date(purchase.paidAt),
  purchase,
});

/** What happens after a payment, such as its refund or the approval of its commission. */
function consequencesOf({ at }: Calendar, { fate, paidAt, transactionId, amountCents }: Purchase): Step[] {
  if (!fate) return [];
  const later = (days: number) => new Date(paidAt + days * 24 * HOUR_MS);
  const refund = { kind: 'refund', transactionId, reason: 'refund' } as const;
  const totalCents = amountCents / 2;
  const consequences: Readonly<Record<Fate, Step>> = {
    refunded: { ...refund, at: later(4) },
    partlyRefunded: { ...refund, at: later(6), totalCents },
    rejected: { kind: 'rejection', at: later(2), transactionId, reason: 'Self-referral: the partner is the customer' },
    approved: { kind: 'approval', at: later(3), transactionId },
    disputed: { ...refund, at: new Date(at(45, 15)), reason: 'chargeback' },
    reducedAfterPayout: { ...refund, at: new Date(at(55, 11)), totalCents },
  };
  return [consequences[fate]];
}

/** Some partners sign in during the history and enter their payout details. */
const detailsIn = ({ at }: Calendar): Step[] =>
  fullDemo.flatMap(({ email, name, payoutDetails: details }, index): Step[] =>
    details ? [{ kind: 'details', at: new Date(at(12 + index, 18)), email, name, details }] : [],
  );

/** Three payouts. Each contains the commissions for sales up to the day before whose hold period has ended. */
const payoutsIn = ({ at }: Calendar): Step[] => [
  ...[24, 38, 52].map((day): Step => {
    const time = new Date(at(day, 9));
    return { kind: 'payout', at: time, through: dayLater(dayOf(time), -1) };
  }),
  { kind: 'reference', at: new Date(at(39, 8)), reference: 'SEPA batch 2' },
  // The money of earlier payouts is marked as sent. The money of the last payout is still to be sent.
  ...[25, 39].map((day): Step => ({ kind: 'sent', at: new Date(at(day, 10)) })),
];

import type { Currency } from '#lib/service/ground/values/currency.ts';
import {
  type Calendar,
  HOUR_MS,
  isActive,
  isReturning,
  MINUTE_MS,
  type Visitor,
} from '#infra/local/demo/demo-visitors.ts';

export interface Signup extends Visitor {
  readonly signedUpAt: number;
  readonly customerKey: string;
}

const SIGNUP_SHARE = 0.12;

export function signupsOf(calendar: Calendar, visitors: readonly Visitor[]): Signup[] {
  const { chance } = calendar;
  return visitors
    .filter((visitor) => !isReturning(visitor) && chance.hits(SIGNUP_SHARE))
    .map((visitor) => ({
      ...visitor,
      signedUpAt: visitor.at + (chance.hits(0.7) ? chance.between(2, 90) * MINUTE_MS : chance.between(1, 72) * HOUR_MS),
    }))
    .toSorted((a, b) => a.signedUpAt - b.signedUpAt)
    .filter(({ signedUpAt, partner }) => signedUpAt <= calendar.end && isActive(calendar, partner, signedUpAt))
    .map((signup, n) => ({ ...signup, customerKey: `user_${1_001 + n}` }));
}

/** What happens after a customer's first payment. */
export type Fate = 'refunded' | 'partlyRefunded' | 'rejected' | 'approved' | 'reducedAfterPayout' | 'disputed';

export interface Purchase {
  readonly customer: Signup;
  readonly paidAt: number;
  readonly transactionId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly isRenewal: boolean;
  /** If set, Stripe reports the payment instead of the brand's server. */
  readonly isByStripe?: boolean;
  readonly fate?: Fate;
}

const BUYER_SHARE = 1 / 3;
const RENEWING_SHARE = 0.8;
const MONTH_MS = 30 * 24 * HOUR_MS;
const prices = [2_900, 2_900, 2_900, 4_900, 4_900, 9_900] as const;

/** The customers' first payments and renewals, in order of time. */
export function purchasesOf(calendar: Calendar, signups: readonly Signup[]): Purchase[] {
  const { chance, end } = calendar;
  const isRecorded = ({ paidAt, customer }: Pick<Purchase, 'paidAt' | 'customer'>) =>
    paidAt <= end && isActive(calendar, customer.partner, paidAt);
  const first = signups
    .filter(() => chance.hits(BUYER_SHARE))
    .map((customer) => ({
      customer,
      paidAt:
        customer.signedUpAt +
        (chance.hits(0.5) ? chance.between(5, 120) * MINUTE_MS : chance.between(1, 216) * HOUR_MS),
      amountCents: chance.oneOf(prices),
      currency: chance.hits(customer.partner.euroShare) ? ('EUR' as const) : ('USD' as const),
      isRenewal: false,
    }))
    .filter(isRecorded)
    .toSorted(byTime);
  const fated = withFates(calendar, first);
  const renewals = fated
    .filter(({ fate }) => (fate === undefined || fate === 'approved') && chance.hits(RENEWING_SHARE))
    .map(({ customer, paidAt, amountCents, currency }) => ({
      customer,
      paidAt: paidAt + MONTH_MS,
      amountCents,
      currency,
      isRenewal: true,
    }))
    .filter(isRecorded);
  return [...fated, ...renewals]
    .toSorted(byTime)
    .map((purchase, n) => ({ ...purchase, transactionId: `acme_${501 + n}` }));
}

type NewPurchase = Omit<Purchase, 'transactionId'>;

const byTime = (a: NewPurchase, b: NewPurchase): number => a.paidAt - b.paidAt;

/** What happens after first payments, by the payment's index modulo 16. Most payments have no entry. */
const fates: Readonly<Record<number, Fate>> = { 3: 'refunded', 7: 'partlyRefunded', 11: 'rejected', 14: 'approved' };

/** Decides what happens after first payments, so that every kind occurs, whichever random choices were made. */
function withFates({ dayOf }: Calendar, first: readonly NewPurchase[]): NewPurchase[] {
  const fated: NewPurchase[] = first.map((purchase, n) => ({ ...purchase, fate: fates[n % 16] }));
  /**
   * From a given day on, changes the first payment to which nothing else happens.
   * @param notOf a partner whose payments are skipped
   * @returns the partner of the payment
   */
  const change = (
    day: number,
    changed: Partial<NewPurchase>,
    notOf?: Visitor['partner'],
  ): Visitor['partner'] | undefined => {
    const n = fated.findIndex(
      ({ paidAt, fate, isByStripe, customer: { partner } }) =>
        dayOf(paidAt) >= day && !fate && !isByStripe && partner !== notOf,
    );
    if (n === -1) return undefined;
    fated[n] = { ...fated[n]!, ...changed };
    return fated[n].customer.partner;
  };
  const disputedOf = change(10, { fate: 'disputed' });
  // The last payout pays this commission. It also subtracts the disputed payment's deduction from what the other
  // partner gets, so this payment must be of another partner.
  change(26, { fate: 'reducedAfterPayout' }, disputedOf);
  change(48, { isByStripe: true });
  return fated;
}

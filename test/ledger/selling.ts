import { post } from '#test/ledger/book.ts';
import { earn, earnLead, termsOf, withdraw } from '#test/ledger/earning.ts';
import { applyWaiting } from '#test/ledger/returning.ts';
import { type Commission, type Customer, DAY, dayOf, type Sale, type State } from '#test/ledger/state.ts';

// Decides about a payment: who the buyer is, to which partner it belongs, and whether it is a sale.

export interface Order {
  readonly id: string;
  readonly ids: readonly string[];
  /** The customer whom the payment names; undefined if it contains only a coupon code. */
  readonly customer?: string;
  /** The customer key that a customer gets whom the coupon code creates. */
  readonly newKey?: string;
  readonly source: Sale['source'];
  readonly amount: number;
  readonly tax: number | null;
  readonly currency: string;
  readonly type: Sale['type'];
  readonly subscription: string | null;
  readonly isRecurring: boolean;
  readonly paidAt: number;
  /** The number of the partner whose coupon code the payment contains; null without a code. */
  readonly code: number | null;
}

export type Sold =
  | { readonly kind: 'sold'; readonly sale: Sale; readonly commission?: Commission }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'same' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'late'; readonly age: number };

export const customerOf = ({ customers }: State, label: string | undefined): Customer | undefined =>
  customers.find((one) => one.label === label);

export function clicked(state: State, clickId: string, partner: number, now: number): void {
  const label = `c${state.customers.length}`;
  state.clicks.push({ partner, on: dayOf(now) });
  state.customers.push(newCustomer(state, { label, clickId, partner, firstClickAt: now }));
}

type Known = Pick<Customer, 'label' | 'clickId' | 'partner' | 'firstClickAt'>;
const newCustomer = (_: State, known: Known): Customer => ({
  key: `user of ${known.label}`,
  status: 'click',
  isKeyBound: false,
  isByCode: false,
  provisionalAt: null,
  signupAt: null,
  firstPurchaseAt: null,
  firstTerms: null,
  isPartner: null,
  isReleased: false,
  ...known,
});

/**
 * Settles a lead.
 * @param countsAt when reports count the lead's commission
 * @returns the error message if it is refused
 */
export function settleLead(state: State, customer: Customer, now: number, isPartner?: number): string | undefined {
  if (customer.status !== 'click') {
    if (customer.signupAt !== null) customer.isKeyBound = true;
    return `Customer status cannot be updated to lead. Current status: ${customer.status}`;
  }
  const { provisionalAt } = customer;
  Object.assign(customer, { status: 'lead', signupAt: now, isKeyBound: true, provisionalAt: null });
  if (isPartner !== undefined) customer.isPartner = isPartner;
  // A lead counts on the day on which it was first recorded, which may be as a provisional lead.
  state.leads.push({ partner: customer.partner, on: dayOf(provisionalAt ?? now) });
  earnLead(state, customer, provisionalAt ?? now, now);
  return undefined;
}

/**
 * Settles a provisional lead because its customer has paid. That happens even if the partner was removed, and even
 * after the attribution window.
 */
export function settleByPayment(state: State, customer: Customer, paidAt: number, now: number): void {
  const { provisionalAt } = customer;
  if (provisionalAt === null) return;
  Object.assign(customer, { signupAt: provisionalAt, isKeyBound: true, provisionalAt: null });
  if (customer.status === 'click') customer.status = 'lead';
  state.leads.push({ partner: customer.partner, on: dayOf(provisionalAt) });
  earnLead(state, customer, paidAt, now);
}

const isExpired = ({ settings }: State, customer: Customer, paidAt: number): boolean =>
  customer.status !== 'conversion' &&
  !customer.isByCode &&
  (customer.signupAt ?? paidAt) - customer.firstClickAt > settings.windowDays * DAY;

/** Whether a payment is a renewal: the customer has paid for the same thing before. */
function isRenewal({ sales }: State, customer: Customer, order: Order): boolean {
  const before = sales.filter((sale) => sale.customer === customer.label);
  const { subscription, type } = order;
  // Stripe says itself which payments are renewals, regardless of the order in which its events arrive.
  if (order.source === 'processor') return order.isRecurring && before.some(({ paidAt }) => paidAt <= order.paidAt);
  if (order.isRecurring && before.length > 0) return true;
  if (subscription !== null) return before.some((sale) => sale.subscription === subscription);
  return type === 'subscription' && before.some((sale) => sale.type === 'subscription');
}

/**
 * Finds the customer of a payment. If no customer is found in time, a coupon code creates one or takes over the
 * customer; with `code_first` it always takes over a customer who has not bought.
 */
function payerOf(state: State, { customer: label, newKey, code, paidAt }: Order): Customer | undefined {
  const found = customerOf(state, label);
  if (code === null || state.removed[code]) return found;
  if (!found) {
    const made = newCustomer(state, {
      label: `c${state.customers.length}`,
      clickId: null,
      partner: code,
      firstClickAt: paidAt,
    });
    Object.assign(made, { isByCode: true, key: newKey ?? made.key, isKeyBound: newKey !== undefined });
    state.customers.push(made);
    return made;
  }
  const isMoved =
    found.status !== 'conversion' &&
    (isExpired(state, found, paidAt) || state.settings.codePrecedence === 'code_first');
  if (isMoved) Object.assign(found, { partner: code, isByCode: true });
  return found;
}

/**
 * Makes recorded sales renewals. They were later invoices of subscriptions whose earlier payment has now become known.
 */
function overtake(state: State, customer: Customer): void {
  for (const sale of state.sales.filter((one) => one.customer === customer.label && one.isEarly)) {
    sale.isRecurring = true;
    sale.isEarly = false;
    withdraw(state, sale);
  }
}

/** Records a payment as a sale, if it is one. */
export function sell(state: State, order: Order, now: number): Sold {
  const { source, paidAt, amount, tax, currency } = order;
  const recorded = state.sales.find((sale) => sale.ids.some((id) => order.ids.includes(id)));
  if (recorded) {
    recorded.ids.push(...order.ids.filter((id) => !recorded.ids.includes(id)));
    if (source === 'processor') applyWaiting(state, recorded, now);
    return { kind: source === 'api' ? 'duplicate' : 'same' };
  }
  const found = customerOf(state, order.customer);
  if (found && state.removed[found.partner] && order.code === null) return { kind: 'removed' };
  const customer = payerOf(state, order);
  if (!customer) return { kind: 'nobody' };
  if (isExpired(state, customer, paidAt)) {
    return { kind: 'late', age: (customer.signupAt ?? paidAt) - customer.firstClickAt };
  }
  const isRecurring = isRenewal(state, customer, order);
  const inForce = termsOf(state, customer.partner);
  const byFirst = state.settings.termsApply === 'first_sale' && isRecurring && customer.firstTerms !== null;
  const sale: Sale = {
    id: order.id,
    ids: [...order.ids],
    customer: customer.label,
    partner: customer.partner,
    amount,
    tax,
    base: amount - (state.settings.commissionBase === 'excluding_tax' ? (tax ?? 0) : 0),
    currency,
    source,
    type: order.type,
    subscription: order.subscription,
    isRecurring,
    isEarly: source === 'processor' && order.isRecurring && !isRecurring,
    code: order.code,
    paidAt,
    recordedAt: now,
    refunds: { total: 0, byId: {}, stripe: 0 },
    disputes: {},
    refunded: 0,
    steps: [],
    returnedAt: [],
  };
  if (source === 'processor' && customer.firstPurchaseAt !== null && paidAt < customer.firstPurchaseAt) {
    overtake(state, customer);
    customer.firstPurchaseAt = paidAt;
  }
  customer.firstPurchaseAt ??= paidAt;
  state.sales.push(sale);
  const commission = earn(state, sale, customer, byFirst ? customer.firstTerms! : inForce);
  post(state.book, dayOf(paidAt), 'customers', `revenue/${sale.partner}/${sale.customer}`, currency, amount);
  customer.firstTerms ??= inForce;
  customer.status = 'conversion';
  if (customer.provisionalAt === null && customer.clickId !== null) customer.isKeyBound = true;
  applyWaiting(state, sale, now);
  return { kind: 'sold', sale, ...(commission && { commission }) };
}

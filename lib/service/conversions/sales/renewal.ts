import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { RenewalBy, SaleFacts } from '#lib/service/conversions/sales/sale.ts';

/** The facts of a sale, of which it is decided whether it is a renewal. */
export interface DecidedFacts extends SaleFacts {
  /** Absent on a payment that is none. */
  readonly renewalBy?: RenewalBy;
  readonly wouldRenew?: true;
}

/** What a customer has paid before. */
interface PaidBefore {
  readonly customer: Pick<AttributedCustomer, 'status' | 'hasPaidFor' | 'firstPurchaseAt'>;
  /** The customer has paid for the same subscription. */
  readonly hasSubscription: boolean;
}

const hasPaid = ({ status, hasPaidFor }: PaidBefore['customer']): boolean =>
  status === 'conversion' || hasPaidFor !== undefined;

/** What a customer has paid for, with one more sale. */
export const paidForWith = (
  { hasPaidFor }: Pick<AttributedCustomer, 'hasPaidFor'>,
  saleType: SaleFacts['saleType'],
): SaleFacts['saleType'] => (hasPaidFor === 'subscription' ? hasPaidFor : saleType);

/** By what a sale of the API is a renewal; undefined when it is none, whatever was sent. */
export function renewalBy(
  { saleType, subscriptionId, isRecurring }: SaleFacts,
  { customer, hasSubscription }: PaidBefore,
): RenewalBy | undefined {
  if (subscriptionId && hasSubscription) return 'subscription_id';
  if (!subscriptionId && saleType === 'subscription' && customer.hasPaidFor === 'subscription') return 'sale_type';
  return isRecurring && hasPaid(customer) ? 'is_recurring' : undefined;
}

type InvoicePayment = Pick<ProcessorPayment, 'order' | 'paidAt'>;

/**
 * Whether a payment was made before the customer's first known one: the processor's events come in any order. Of two that
 * were made in the same second a later invoice of a subscription is the second.
 */
export function overtakes({ order, paidAt }: InvoicePayment, { firstPurchaseAt }: PaidBefore['customer']): boolean {
  const paid = paidAt.toISOString();
  return firstPurchaseAt !== undefined && (paid < firstPurchaseAt || (paid === firstPurchaseAt && order !== 'later'));
}

/** The same of the processor's payment: a later invoice of a subscription, but for the first payment after a free trial. */
const renewalByInvoice = (payment: InvoicePayment, customer: PaidBefore['customer']): RenewalBy | undefined =>
  payment.order === 'later' && hasPaid(customer) && !overtakes(payment, customer) ? 'billing_reason' : undefined;

/** The decided value takes the place of what was sent. */
export const withRenewal = (facts: SaleFacts, by: RenewalBy | undefined): DecidedFacts => ({
  ...facts,
  isRecurring: by !== undefined,
  renewalBy: by,
});

/** The facts of the processor's payment. A later invoice is a renewal as soon as an earlier payment is known. */
export function withInvoiceRenewal(
  facts: SaleFacts,
  payment: InvoicePayment,
  customer: PaidBefore['customer'],
): DecidedFacts {
  const by = renewalByInvoice(payment, customer);
  const wouldRenew = payment.order === 'later' && by === undefined ? true : undefined;
  return { ...withRenewal(facts, by), wouldRenew };
}

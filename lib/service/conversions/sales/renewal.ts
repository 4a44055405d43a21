import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { RenewalBy, SaleFacts } from '#lib/service/conversions/sales/sale.ts';

/** The data of a sale after the decision whether it is a renewal. */
export interface DecidedFacts extends SaleFacts {
  /** Why the payment is a renewal; undefined if it is not. */
  readonly renewalBy?: RenewalBy;
  readonly wouldRenew?: true;
}

/** What a customer has paid for before. */
interface PaidBefore {
  readonly customer: Pick<AttributedCustomer, 'status' | 'hasPaidFor' | 'firstPurchaseAt'>;
  /** The customer has paid for the same subscription before. */
  readonly hasSubscription: boolean;
}

const hasPaid = ({ status, hasPaidFor }: PaidBefore['customer']): boolean =>
  status === 'conversion' || hasPaidFor !== undefined;

/** The kinds of purchase that a customer has paid for, including one more sale. */
export const paidForWith = (
  { hasPaidFor }: Pick<AttributedCustomer, 'hasPaidFor'>,
  saleType: SaleFacts['saleType'],
): SaleFacts['saleType'] => (hasPaidFor === 'subscription' ? hasPaidFor : saleType);

/** Why a sale of the API is a renewal. Undefined if it is not one, even if the caller sent `is_recurring`. */
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
 * Whether a payment was made before the customer's first known payment. This happens because the processor's events
 * arrive in any order. If both were made in the same second, a subscription's later invoice counts as the second one.
 */
export function overtakes({ order, paidAt }: InvoicePayment, { firstPurchaseAt }: PaidBefore['customer']): boolean {
  const paid = paidAt.toISOString();
  return firstPurchaseAt !== undefined && (paid < firstPurchaseAt || (paid === firstPurchaseAt && order !== 'later'));
}

/**
 * Whether a payment of the processor is a renewal: a subscription's later invoice is a renewal, except for the first
 * payment after a free trial.
 */
const renewalByInvoice = (payment: InvoicePayment, customer: PaidBefore['customer']): RenewalBy | undefined =>
  payment.order === 'later' && hasPaid(customer) && !overtakes(payment, customer) ? 'billing_reason' : undefined;

/** Replaces the sent `is_recurring` by what was decided. */
export const withRenewal = (facts: SaleFacts, by: RenewalBy | undefined): DecidedFacts => ({
  ...facts,
  isRecurring: by !== undefined,
  renewalBy: by,
});

/**
 * Builds the facts of a sale from a processor's payment. A later invoice of a subscription is a renewal only if an
 * earlier payment is known.
 */
export function withInvoiceRenewal(
  facts: SaleFacts,
  payment: InvoicePayment,
  customer: PaidBefore['customer'],
): DecidedFacts {
  const by = renewalByInvoice(payment, customer);
  const wouldRenew = payment.order === 'later' && by === undefined ? true : undefined;
  return { ...withRenewal(facts, by), wouldRenew };
}

import type { AttributedCustomer } from '#lib/domain/customer.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import type { RenewalBy, SaleFacts } from '#lib/domain/sale.ts';

/** The facts of a sale, of which it is decided whether it is a renewal. */
export interface DecidedFacts extends SaleFacts {
  /** Absent on a payment that is none. */
  readonly renewalBy?: RenewalBy;
}

/** What a customer has paid before. */
interface PaidBefore {
  readonly customer: Pick<AttributedCustomer, 'status' | 'hasPaidFor'>;
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

/** The same of the processor's payment: a later invoice of a subscription, but for the first payment after a free trial. */
export const renewalByInvoice = (
  { order }: Pick<ProcessorPayment, 'order'>,
  customer: PaidBefore['customer'],
): RenewalBy | undefined => (order === 'later' && hasPaid(customer) ? 'billing_reason' : undefined);

/** The decided value takes the place of what was sent. */
export const withRenewal = (facts: SaleFacts, by: RenewalBy | undefined): DecidedFacts => ({
  ...facts,
  isRecurring: by !== undefined,
  renewalBy: by,
});

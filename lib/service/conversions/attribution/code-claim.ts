import { checkWindow, isClickTooLate } from '#lib/service/traffic/customers/attribution-window.ts';
import { type Code, isOpen } from '#lib/service/programs/links/code.ts';
import {
  type AttributedCustomer,
  type Customer,
  customerOfCode,
  movedByCode,
} from '#lib/service/traffic/customers/customer.ts';
import { contradictedBy, overruledClaim } from '#lib/service/earnings/commissions/overruled-claim.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';

/** The customer to whom a payment is attributed, after the payment's coupon code was taken into account. */
export interface Claim<Found = AttributedCustomer> extends Resolved<Found> {
  /** The stored customer. Undefined if the payment creates it. */
  readonly stored: Found | undefined;
  /** The coupon code that the payment carried. */
  readonly code?: string;
}

/** When a payment was made and when it was received. */
interface PaymentTimes {
  readonly paidAt: Date;
  /** When the payment was received. Set for a payment that waited for its coupon code; undefined means now. */
  readonly cameInAt?: Date;
}

/** A payment that may carry a coupon code. */
interface CodedPayment extends PaymentTimes {
  /** The program's coupon code that the payment carries, even if the code is not valid for attribution. */
  readonly code?: Code;
  /** Ids for the new customer that is created if no customer is found and the coupon code attributes the payment. */
  readonly newcomer: Pick<Customer, 'id' | 'clickId' | 'customerKey'>;
}

/**
 * Decides to whom a payment is attributed: to the customer found by its identifiers, or to the partner of its coupon
 * code. A customer is passed over if the payment was made after the attribution window, or before the customer's click.
 * A customer who already has a recorded sale never moves to another partner.
 * @param found the customer found by the payment's identifiers
 */
export function claimOf<Found extends AttributedCustomer>(
  found: Resolved<Found> | undefined,
  { code, newcomer, ...times }: CodedPayment,
  program: Program,
): Claim<Found | Customer> | undefined {
  const stored = found?.isNew ? undefined : found?.customer;
  if (!code || !isOpen(code, program)) return found && { ...found, stored, code: code?.code };
  const standing = found && standingOf(found.customer, times, program);
  if (found && (standing === 'converted' || (standing === 'valid' && program.codePrecedence !== 'code_first'))) {
    return { ...found, stored, code: code.code, overruled: overruledWithCode(found, found.customer, code.partnerId) };
  }
  return {
    customer: stored
      ? movedByCode(stored, code)
      : customerOfCode(code, { ...newcomer, firstClickAt: times.paidAt.toISOString() }),
    stored,
    resolvedBy: 'code',
    identifier: code.code,
    code: code.code,
    overruled:
      found && standing === 'valid'
        ? overruledClaim(code.partnerId, { partnerId: found.customer.partnerId, by: found.resolvedBy })
        : undefined,
  };
}

/**
 * A coupon code or an e-mail address had attributed a recorded sale, and a later event of its payment identifies a
 * customer. Returns the claim by which the sale is attributed to that customer.
 */
export const claimBeforeCode = <Found extends AttributedCustomer>(
  found: Resolved<Found>,
  { code, attribution }: Pick<Sale, 'code' | 'attribution'>,
  stored: Found | undefined = found.isNew ? undefined : found.customer,
): Claim<Found> => ({
  ...found,
  stored,
  code,
  overruled: overruledWithCode(found, found.customer, partnerOfCode(attribution)),
});

/** The partner of the sale's coupon code. Undefined if the attribution does not name it. */
const partnerOfCode = (attribution: SaleAttribution | undefined): number | undefined =>
  attribution?.resolvedBy === 'code'
    ? attribution.partnerId
    : attribution?.overruled?.by === 'code'
      ? attribution.overruled.partnerId
      : undefined;

/**
 * Records on a sale that a later event of its payment identified a customer of another partner. The sale's attribution
 * does not change.
 */
export function withLateClaim(sale: Sale, { customer, resolvedBy: by }: Resolved): Sale {
  const { attribution } = sale;
  const late = overruledClaim(attribution?.partnerId, { partnerId: customer.partnerId, by });
  return !attribution || !late || attribution.overruled?.isLate
    ? sale
    : { ...sale, attribution: { ...attribution, overruled: { ...late, isLate: true } } };
}

/** Adds a coupon code that only a later event of the payment contained. The attribution does not change. */
export function withLateCode(sale: Sale, code: Code | undefined, program: Program): Sale {
  const { attribution } = sale;
  if (!code || sale.code !== undefined || !attribution) return sale;
  const overruled = overruledWithCode(attribution, attribution, isOpen(code, program) ? code.partnerId : undefined);
  return { ...sale, code: code.code, attribution: overruled ? { ...attribution, overruled } : attribution };
}

/**
 * If several partners do not get a sale that could have been theirs, the sale records only one. It is the partner who
 * contradicts an attribution by e-mail address, if there is one, otherwise the partner of the coupon code.
 */
const overruledWithCode = (
  found: Pick<SaleAttribution, 'overruled' | 'isByAddressAlone'>,
  { partnerId: winnerId }: { readonly partnerId?: number },
  partnerId: number | undefined,
): Claim['overruled'] =>
  contradictedBy(found) ? found.overruled : (overruledClaim(winnerId, { partnerId, by: 'code' }) ?? found.overruled);

/**
 * Whether a payment has no customer, or one to whom it cannot be attributed: it was made after the window, or before
 * the customer's click.
 */
export const isUnattributed = (
  customer: AttributedCustomer | undefined,
  times: PaymentTimes,
  program: Program,
): boolean => customer === undefined || standingOf(customer, times, program) === 'none';

/**
 * Decides whether a payment may be attributed to a customer. The result is `none` if the payment was made after the
 * attribution window, or if the customer clicked only after the payment.
 */
function standingOf(
  customer: AttributedCustomer,
  { paidAt, cameInAt }: PaymentTimes,
  program: Program,
): 'converted' | 'valid' | 'none' {
  if (customer.status === 'conversion') return 'converted';
  const window = checkWindow(customer, paidAt, program.attributionWindowDays);
  const isTooLate = cameInAt !== undefined && Date.parse(customer.firstClickAt) > cameInAt.getTime();
  return isTooLate || isClickTooLate(customer, paidAt) || (window && !window.within) ? 'none' : 'valid';
}

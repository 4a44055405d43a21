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
import type { Claim, Resolved } from '#lib/service/conversions/sales/sale-decision.ts';

/** When a payment was made, and became known. */
interface PaymentTimes {
  readonly paidAt: Date;
  /** Absent = now. One that waited for its code is older. */
  readonly cameInAt?: Date;
}

/** A payment that may carry a code. */
interface CodedPayment extends PaymentTimes {
  /** The program's code, also one that brings nothing. */
  readonly code?: Code;
  /** Of the customer whom the code makes, where nobody else is found. */
  readonly newcomer: Pick<Customer, 'id' | 'clickId' | 'customerKey'>;
}

/**
 * Who gets a payment: the customer found by its identifiers, or the code's partner. A claim outside its window counts as
 * none, and so does a click that came after the payment; a customer with a recorded conversion never moves.
 * @param found by the payment's identifiers
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

/** The claim of a customer whom only another event of a payment named, when its code or address had already brought the sale. */
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

/** Whose code a sale's is, as far as its attribution tells. */
const partnerOfCode = (attribution: SaleAttribution | undefined): number | undefined =>
  attribution?.resolvedBy === 'code'
    ? attribution.partnerId
    : attribution?.overruled?.by === 'code'
      ? attribution.overruled.partnerId
      : undefined;

/** A sale that its code or address keeps, though another event of the payment named a customer later. */
export function withLateClaim(sale: Sale, { customer, resolvedBy: by }: Resolved): Sale {
  const { attribution } = sale;
  const late = overruledClaim(attribution?.partnerId, { partnerId: customer.partnerId, by });
  return !attribution || !late || attribution.overruled?.isLate
    ? sale
    : { ...sale, attribution: { ...attribution, overruled: { ...late, isLate: true } } };
}

/** A sale with the code that only another event of its payment carried: whoever has the sale keeps it. */
export function withLateCode(sale: Sale, code: Code | undefined, program: Program): Sale {
  const { attribution } = sale;
  if (!code || sale.code !== undefined || !attribution) return sale;
  const overruled = overruledWithCode(attribution, attribution, isOpen(code, program) ? code.partnerId : undefined);
  return { ...sale, code: code.code, attribution: overruled ? { ...attribution, overruled } : attribution };
}

/** Whose claim is noted: the code's before others, but not before what contradicts the address that decided. */
const overruledWithCode = (
  found: Pick<SaleAttribution, 'overruled' | 'isByAddressAlone'>,
  { partnerId: winnerId }: { readonly partnerId?: number },
  partnerId: number | undefined,
): Claim['overruled'] =>
  contradictedBy(found) ? found.overruled : (overruledClaim(winnerId, { partnerId, by: 'code' }) ?? found.overruled);

/** Whether a payment has no customer, or one whose claim counts as none. */
export const isNobodys = (customer: AttributedCustomer | undefined, times: PaymentTimes, program: Program): boolean =>
  customer === undefined || standingOf(customer, times, program) === 'none';

/**
 * What a customer's own attribution is worth at a payment. It is none outside its window, or if the customer came only
 * while the payment waited.
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

import { checkWindow, type WindowCheck } from '#lib/domain/attribution-window.ts';
import {
  type Actor,
  type Commission,
  commissionIsDue,
  type CommissionTerms,
  newCommission,
  type Payment,
} from '#lib/domain/commission.ts';
import type { AttributedCustomer } from '#lib/domain/customer.ts';
import { type Program, termsOf } from '#lib/domain/program.ts';
import type { Sale, SaleAttribution, SaleFacts } from '#lib/domain/sale.ts';

/** A customer, and by which identifier it was found. */
export interface Resolved<Customer = AttributedCustomer> {
  readonly customer: Customer;
  readonly resolvedBy: SaleAttribution['resolvedBy'];
  /** Of an e-mail address, its mask. */
  readonly identifier: string;
}

/** A payment about to become a sale. */
export interface SaleCandidate {
  readonly facts: SaleFacts;
  readonly source: Sale['source'];
  readonly actor: Actor;
  readonly saleId: number;
  readonly commissionId: number;
  readonly paidAt: Date;
  readonly now: Date;
  /** Bound to the customer where nothing speaks against it. */
  readonly customerKey?: string;
  /** Who gives that key up. */
  readonly claimant?: AttributedCustomer;
  /** A server named the customer's click together with its key. */
  readonly confirmsKey?: boolean;
}

export interface AttributedSale {
  readonly outcome: 'attributed';
  readonly sale: Sale;
  /** Absent: none is due, or it could not be made. */
  readonly commission?: Commission;
  /** Why the commission that is due could not be made. */
  readonly failure?: RangeError;
  readonly customer: AttributedCustomer;
  /** The customer as it is afterwards. */
  readonly converted: AttributedCustomer;
  /** Gives its key up to the customer. */
  readonly claimant?: AttributedCustomer;
  readonly terms: CommissionTerms;
}

export type SaleDecision =
  | { readonly outcome: 'partnerRemoved' }
  | { readonly outcome: 'outsideWindow'; readonly window: WindowCheck }
  | { readonly outcome: 'noPartner'; readonly sale: Sale }
  | AttributedSale;

/** Specification 1, contract 7: whether a payment of this customer is its partner's sale, and what it earns. */
export function decideSale(
  candidate: SaleCandidate,
  resolved: Resolved,
  program: Program,
  platformFeeBps: number,
): SaleDecision {
  const { facts, paidAt, claimant } = candidate;
  const { customer } = resolved;
  const { partnerId } = customer;
  if (partnerId !== undefined && program.removedPartnerIds.includes(partnerId)) return { outcome: 'partnerRemoved' };
  const window = checkWindow(customer, paidAt, program.attributionWindowDays);
  if (window && !window.within) return { outcome: 'outsideWindow', window };

  const terms = termsOf(program, platformFeeBps);
  const sale = newSale(candidate, program.id, {
    ...attributionOf(resolved),
    keyTakenFrom: claimant?.clickId,
    window,
  });
  if (partnerId === undefined) return { outcome: 'noPartner', sale: { ...sale, commissionState: 'noPartner', terms } };

  const known = candidate.confirmsKey ? { ...customer, keyBoundBy: undefined } : customer;
  const converted = convertedCustomer(known, candidate.customerKey, paidAt);
  const decided = { outcome: 'attributed', customer, converted, claimant, terms } as const;
  const payment: Payment = { ...facts, paidAt, firstPurchaseAt: customer.firstPurchaseAt };
  if (!commissionIsDue(terms, payment)) return { ...decided, sale: { ...sale, commissionState: 'notDue' } };
  const { commissionId, saleId, actor } = candidate;
  const { programId, transactionId, occurredAt, createdAt } = sale;
  const { clickId } = customer;
  const names = {
    id: commissionId,
    saleId,
    programId,
    partnerId,
    clickId,
    transactionId,
    occurredAt,
    createdAt,
    actor,
  };
  try {
    const commission = newCommission(names, terms, payment);
    return { ...decided, sale: { ...sale, commissionState: 'created', commissionId }, commission };
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure;
    return { ...decided, sale: { ...sale, commissionState: 'failed' }, failure };
  }
}

type SaleWithoutState = Omit<Sale, 'commissionState'>;

const newSale = (
  { facts, saleId, source, paidAt, now }: SaleCandidate,
  programId: number,
  attribution: SaleAttribution,
): SaleWithoutState => ({
  ...facts,
  id: saleId,
  programId,
  source,
  occurredAt: paidAt.toISOString(),
  createdAt: now.toISOString(),
  refundedCents: 0,
  attribution,
});

/** What a sale keeps of how it was attributed. */
const attributionOf = ({ customer, resolvedBy, identifier }: Resolved): Omit<SaleAttribution, 'window'> => ({
  clickId: customer.clickId,
  customerKey: customer.customerKey,
  partnerId: customer.partnerId,
  shortLink: customer.shortLink,
  resolvedBy,
  identifier,
});

/** The customer after this sale. Its key is bound only where no provisional lead claims one (specification 3). */
export function convertedCustomer(
  customer: AttributedCustomer,
  sentKey: string | undefined,
  paidAt: Date,
): AttributedCustomer {
  const mayBind = customer.customerKey === undefined && customer.leadState !== 'provisional';
  return {
    ...customer,
    status: 'conversion',
    firstPurchaseAt: customer.firstPurchaseAt ?? paidAt.toISOString(),
    customerKey: mayBind ? sentKey || undefined : customer.customerKey,
  };
}

/** The sale as it is kept without its commission, with all that `sale repair` needs to make it. */
export const withoutCommission = ({ sale, customer, converted, terms }: AttributedSale): Sale => ({
  ...sale,
  commissionState: 'failed',
  commissionId: undefined,
  terms,
  claimed: converted.customerKey === customer.customerKey ? undefined : { customerKey: converted.customerKey },
});

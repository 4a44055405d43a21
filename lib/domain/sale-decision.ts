import { checkWindow, type WindowCheck } from '#lib/domain/attribution-window.ts';
import {
  type Commission,
  commissionIsDue,
  type CommissionNames,
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
  readonly saleId: number;
  readonly commissionId: number;
  readonly paidAt: Date;
  readonly now: Date;
  /** Bound to the customer unless a rule prevents it. */
  readonly customerKey?: string;
  /** The customer who loses that key. */
  readonly claimant?: AttributedCustomer;
  /** A server sent the customer's click together with its key. */
  readonly confirmsKey?: boolean;
}

/** A sale with its commission state. */
interface EarningSale {
  readonly sale: Sale;
  /** Absent: none is due, or it could not be made. */
  readonly commission?: Commission;
  /** Why the commission that is due could not be made. */
  readonly failure?: RangeError;
}

export interface AttributedSale extends EarningSale {
  readonly outcome: 'attributed';
  readonly customer: AttributedCustomer;
  /** The customer as it is afterwards. */
  readonly converted: AttributedCustomer;
  /** Loses its key to the customer. */
  readonly claimant?: AttributedCustomer;
  readonly terms: CommissionTerms;
}

export type SaleDecision =
  | { readonly outcome: 'partnerRemoved' }
  | { readonly outcome: 'outsideWindow'; readonly window: WindowCheck }
  | { readonly outcome: 'noPartner'; readonly sale: Sale }
  | AttributedSale;

/** Whether a payment of this customer is its partner's sale, and what it earns. */
export function decideSale(
  candidate: SaleCandidate,
  resolved: Resolved,
  program: Program,
  platformFeeBps: number,
): SaleDecision {
  const { paidAt, claimant } = candidate;
  const { customer } = resolved;
  const { partnerId, clickId } = customer;
  if (partnerId !== undefined && program.removedPartnerIds.includes(partnerId)) return { outcome: 'partnerRemoved' };
  const window = checkWindow(customer, paidAt, program.attributionWindowDays);
  if (window && !window.within) return { outcome: 'outsideWindow', window };

  const converted = convertedCustomer(customer, candidate.customerKey, paidAt, candidate.confirmsKey);
  const bindsKey = converted.customerKey !== customer.customerKey;
  const terms = termsOf(program, platformFeeBps);
  const sale = newSale(candidate, program.id, {
    ...attributionOf(resolved),
    keyTakenFrom: bindsKey ? claimant?.clickId : undefined,
    window,
  });
  if (partnerId === undefined) return { outcome: 'noPartner', sale: { ...sale, commissionState: 'noPartner', terms } };

  const { commissionId, source } = candidate;
  const names = { id: commissionId, partnerId, clickId, createdAt: sale.createdAt, actor: source };
  const earning = withCommission(sale, terms, customer.firstPurchaseAt, names);
  return { outcome: 'attributed', customer, converted, claimant, terms, ...earning };
}

/** What the sale earns under these terms. @param firstPurchaseAt of its customer, before this sale */
export function withCommission(
  sale: SaleWithoutState,
  terms: CommissionTerms,
  firstPurchaseAt: string | undefined,
  names: Pick<CommissionNames, 'id' | 'partnerId' | 'clickId' | 'createdAt' | 'actor'>,
): EarningSale {
  const { id: saleId, programId, transactionId, occurredAt, attribution } = sale;
  const payment: Payment = { ...sale, paidAt: new Date(occurredAt), firstPurchaseAt };
  if (!commissionIsDue(terms, payment)) return { sale: { ...sale, commissionState: 'notDue' } };
  try {
    const commission = newCommission(
      { ...names, shortLink: attribution?.shortLink, saleId, programId, transactionId, occurredAt },
      terms,
      payment,
    );
    return { sale: { ...sale, commissionState: 'created', commissionId: commission.id }, commission };
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure;
    return { sale: { ...sale, commissionState: 'failed' }, failure };
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

/** The stored attribution of a sale. */
const attributionOf = ({ customer, resolvedBy, identifier }: Resolved): Omit<SaleAttribution, 'window'> => ({
  clickId: customer.clickId,
  customerKey: customer.customerKey,
  partnerId: customer.partnerId,
  shortLink: customer.shortLink,
  resolvedBy,
  identifier,
});

/**
 * The customer after this sale. Its key is bound only where no provisional lead claims one.
 * @param confirmsKey a server sent the customer's click together with its key
 */
export function convertedCustomer(
  customer: AttributedCustomer,
  sentKey: string | undefined,
  paidAt: Date,
  confirmsKey = false,
): AttributedCustomer {
  const mayBind = customer.customerKey === undefined && customer.leadState !== 'provisional';
  return {
    ...customer,
    status: 'conversion',
    firstPurchaseAt: customer.firstPurchaseAt ?? paidAt.toISOString(),
    customerKey: mayBind ? sentKey || undefined : customer.customerKey,
    keyBoundBy: confirmsKey ? undefined : customer.keyBoundBy,
  };
}

/**
 * The same sale without its commission: it keeps all that `sale repair` needs to make it, and the customer stays as it
 * is until then.
 */
export const withoutCommission = (decision: AttributedSale): AttributedSale => {
  const { sale, customer, converted, terms } = decision;
  const { customerKey, keyBoundBy } = converted;
  const changesKey = customerKey !== customer.customerKey || keyBoundBy !== customer.keyBoundBy;
  const claimed = changesKey ? { customerKey } : undefined;
  return {
    ...decision,
    sale: { ...sale, commissionState: 'failed', commissionId: undefined, terms, claimed },
    commission: undefined,
    converted: customer,
    claimant: undefined,
  };
};

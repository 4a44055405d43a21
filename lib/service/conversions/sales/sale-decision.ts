import { checkWindow, isClickTooLate, type WindowCheck } from '#lib/service/traffic/customers/attribution-window.ts';
import {
  type SaleCommission,
  commissionIsDue,
  type CommissionNames,
  newCommission,
  type Payment,
} from '#lib/service/earnings/commissions/commission.ts';
import { storedBaseCents } from '#lib/service/programs/terms/commission-base.ts';
import { type AttributedCustomer, creditedLink, type FirstTerms } from '#lib/service/traffic/customers/customer.ts';
import { type Program, termsOfSale } from '#lib/service/programs/program/program.ts';
import {
  type RuleFacts,
  type Verdict,
  verdictOn,
  withVerdict,
} from '#lib/service/earnings/commissions/rules-that-fit.ts';
import { type DecidedFacts, paidForWith } from '#lib/service/conversions/sales/renewal.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { AgreedTerms, CommissionTerms } from '#lib/service/programs/terms/terms.ts';

/** A customer, and by which identifier it was found. */
export interface Resolved<Customer = AttributedCustomer> {
  readonly customer: Customer;
  readonly resolvedBy: SaleAttribution['resolvedBy'];
  /** Of an e-mail address, its mask. */
  readonly identifier: string;
  /** The customer is not stored yet: the first payment of a person makes it. */
  readonly isNew?: true;
  /** Only a browser said so, in a program that takes its word: no payer may be bound by it. */
  readonly isClaimed?: true;
  /** No click, earlier payment or key named the customer. */
  readonly isByAddressAlone?: true;
  /** The guest who pays. */
  readonly guest?: string;
  /** Whose claim stood behind. */
  readonly overruled?: SaleAttribution['overruled'];
}

/** Who gets a payment, after its code was looked at. */
export interface Claim<Customer = AttributedCustomer> extends Resolved<Customer> {
  /** The customer as it is stored; undefined when the payment makes it. */
  readonly stored: Customer | undefined;
  /** The program's code that the payment carried. */
  readonly code?: string;
}

/** A payment about to become a sale. */
export interface SaleCandidate extends RuleFacts {
  readonly facts: DecidedFacts;
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
  /** The processor's customer, where the customer may be known by it from now on. */
  readonly payer?: string;
  /** It was made before the customer's first known payment. */
  readonly overtakes?: boolean;
}

/** A sale with its commission state. */
interface EarningSale {
  readonly sale: Sale;
  /** Absent: none is due, or it could not be made. */
  readonly commission?: SaleCommission;
  /** Why the commission that is due could not be made. */
  readonly failure?: RangeError;
}

export interface AttributedSale extends EarningSale {
  readonly outcome: 'attributed';
  /** The customer as it is stored; undefined when the payment makes it. */
  readonly stored: AttributedCustomer | undefined;
  /** The customer before this sale, already moved if its code does so. */
  readonly customer: AttributedCustomer;
  /** The customer as it is afterwards. */
  readonly converted: AttributedCustomer;
  /** Loses its key to the customer. */
  readonly claimant?: AttributedCustomer;
  readonly terms: CommissionTerms;
}

export type SaleDecision =
  | { readonly outcome: 'partnerRemoved' }
  | { readonly outcome: 'clickTooLate' }
  | { readonly outcome: 'outsideWindow'; readonly window: WindowCheck }
  | { readonly outcome: 'noPartner'; readonly sale: Sale }
  | AttributedSale;

/**
 * Whether a payment of this customer is its partner's sale, and what it earns.
 * @param agreed the terms by which the customer's partner is paid for it
 */
export function decideSale(
  candidate: SaleCandidate,
  claim: Claim,
  program: Program,
  agreed: AgreedTerms,
  platformFeeBps: number,
): SaleDecision {
  const { paidAt, claimant, facts } = candidate;
  const { customer, stored } = claim;
  const { partnerId, clickId } = customer;
  if (partnerId !== undefined && program.removedPartnerIds.includes(partnerId)) return { outcome: 'partnerRemoved' };
  if (isClickTooLate(customer, paidAt)) return { outcome: 'clickTooLate' };
  const window = checkWindow(customer, paidAt, program.attributionWindowDays);
  if (window && !window.within) return { outcome: 'outsideWindow', window };

  const { terms: contract } = agreed;
  const firstTerms = program.termsApply === 'first_sale' ? contract : contract.version.version;
  const { customerKey, confirmsKey, payer } = candidate;
  const guest = claim.resolvedBy === 'click_id' ? claim.guest : undefined;
  const converted = convertedCustomer(customer, {
    saleType: facts.saleType,
    customerKey,
    paidAt,
    firstTerms,
    confirmsKey,
    payer,
    guest,
    overtakes: candidate.overtakes,
  });
  const bindsKey = !stored || converted.customerKey !== customer.customerKey;
  const terms = termsOfSale(program, agreed, platformFeeBps);
  const attribution: SaleAttribution = {
    ...attributionOf(claim),
    keyTakenFrom: bindsKey && claimant?.keyBoundBy ? claimant.clickId : undefined,
    window,
    ...(!window && customer.status !== 'conversion' && { broughtByCode: true }),
  };
  const sale = { ...newSale(candidate, program, terms, attribution), code: claim.code };
  if (partnerId === undefined) return { outcome: 'noPartner', sale: { ...sale, commissionState: 'noPartner', terms } };

  const { commissionId, source } = candidate;
  const names = { id: commissionId, partnerId, clickId, createdAt: sale.createdAt, actor: source };
  const verdict = verdictOn(
    program,
    customer,
    { ...candidate, isByAddressAlone: claim.isByAddressAlone, overruled: claim.overruled },
    candidate.now,
  );
  const earning = withCommission(sale, terms, customer.firstPurchaseAt, names, verdict);
  return { outcome: 'attributed', stored, customer, converted, claimant, terms, ...earning };
}

/** What the sale earns under these terms. @param firstPurchaseAt of its customer, before this sale @param verdict of the program's rules */
export function withCommission(
  sale: SaleWithoutState,
  terms: CommissionTerms,
  firstPurchaseAt: string | undefined,
  names: Pick<CommissionNames, 'id' | 'partnerId' | 'clickId' | 'createdAt' | 'actor'>,
  verdict: Verdict,
): EarningSale {
  const { id: saleId, programId, transactionId, occurredAt, attribution } = sale;
  const payment: Payment = { ...sale, paidAt: new Date(occurredAt), firstPurchaseAt };
  if (!commissionIsDue(terms, payment)) return { sale: { ...sale, commissionState: 'notDue' } };
  try {
    const commission = newCommission(
      { ...names, shortLink: attribution?.shortLink, code: sale.code, saleId, programId, transactionId, occurredAt },
      terms,
      payment,
    );
    const created = { ...sale, commissionState: 'created', commissionId: commission.id } as const;
    return { sale: created, commission: withVerdict(commission, verdict) };
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure;
    return { sale: { ...sale, commissionState: 'failed' }, failure };
  }
}

type SaleWithoutState = Omit<Sale, 'commissionState'>;

const newSale = (
  { facts, saleId, source, paidAt, now }: SaleCandidate,
  { id: programId, commissionBase }: Program,
  { version }: CommissionTerms,
  attribution: SaleAttribution,
): SaleWithoutState => ({
  ...facts,
  id: saleId,
  programId,
  baseCents: storedBaseCents(commissionBase, facts),
  source,
  occurredAt: paidAt.toISOString(),
  createdAt: now.toISOString(),
  refundedCents: 0,
  attribution,
  termsVersion: version,
});

/** The stored attribution of a sale. */
const attributionOf = ({
  customer,
  resolvedBy,
  identifier,
  overruled,
  isByAddressAlone,
}: Claim): Omit<SaleAttribution, 'window'> => ({
  clickId: customer.clickId,
  customerKey: customer.customerKey,
  partnerId: customer.partnerId,
  shortLink: creditedLink(customer),
  resolvedBy,
  identifier,
  overruled,
  isByAddressAlone,
});

/** What a sale changes on its customer. */
interface Conversion extends Pick<SaleCandidate, 'customerKey' | 'paidAt' | 'confirmsKey' | 'payer' | 'overtakes'> {
  /** Kept if it is the first sale. */
  readonly firstTerms: FirstTerms | undefined;
  readonly guest?: string;
  readonly saleType: DecidedFacts['saleType'];
}

/**
 * The customer after this sale. Its key is bound only where no provisional lead claims one; else it is kept, to tell the
 * customer from others who pay with the same click.
 * @param conversion with the key that may be bound, if any
 */
export function convertedCustomer(
  customer: AttributedCustomer,
  { customerKey: sentKey, paidAt, firstTerms, confirmsKey, payer, guest, saleType, overtakes }: Conversion,
): AttributedCustomer {
  const waits = customer.leadState === 'provisional';
  const boundKey = waits ? undefined : sentKey || undefined;
  return {
    ...customer,
    status: 'conversion',
    firstPurchaseAt: overtakes ? paidAt.toISOString() : (customer.firstPurchaseAt ?? paidAt.toISOString()),
    firstRecordedAt: customer.firstRecordedAt ?? (overtakes ? customer.firstPurchaseAt : undefined),
    firstTerms: customer.firstPurchaseAt === undefined ? firstTerms : customer.firstTerms,
    hasPaidFor: paidForWith(customer, saleType),
    customerKey: boundKey ?? customer.customerKey,
    keyBoundBy: confirmsKey || boundKey !== undefined ? undefined : customer.keyBoundBy,
    firstPayer: customer.firstPayer ?? payer,
    firstGuest: customer.firstGuest ?? guest,
    unboundKey: customer.unboundKey ?? (waits ? sentKey || undefined : undefined),
  };
}

/**
 * The same sale without its commission: it keeps all that `sale repair` needs to make it, and the customer stays as it
 * is until then, but for what the payment's code did, and for who paid, and for what.
 */
export const withoutCommission = (decision: AttributedSale): AttributedSale => {
  const { sale, stored, customer, converted, claimant, terms } = decision;
  const { customerKey, keyBoundBy, firstPayer, firstGuest, unboundKey, hasPaidFor } = converted;
  const changesKey = customerKey !== customer.customerKey || keyBoundBy !== customer.keyBoundBy;
  const claimed = changesKey ? { customerKey } : undefined;
  return {
    ...decision,
    sale: { ...sale, commissionState: 'failed', commissionId: undefined, terms, claimed },
    commission: undefined,
    converted: { ...customer, firstPayer, firstGuest, unboundKey, hasPaidFor },
    // A customer whom the payment makes has its key at once.
    claimant: stored ? undefined : claimant,
  };
};

import { checkWindow, isClickTooLate, type WindowCheck } from '#lib/service/traffic/customers/attribution-window.ts';
import {
  type CommissionNames,
  newCommission,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { commissionIsDue, type Payment } from '#lib/service/programs/terms/commission-amount.ts';
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
import type { Claim } from '#lib/service/conversions/attribution/code-claim.ts';

/** A payment that may become a sale. */
export interface SaleCandidate extends RuleFacts {
  readonly facts: DecidedFacts;
  readonly source: Sale['source'];
  readonly saleId: number;
  readonly commissionId: number;
  readonly paidAt: Date;
  readonly now: Date;
  /** The key that will be linked to the customer. Undefined if there is none, or if a rule forbids linking it. */
  readonly customerKey?: string;
  /** Another customer, who loses this key. */
  readonly claimant?: AttributedCustomer;
  /** Set if a server sent the customer's click together with its key. */
  readonly confirmsKey?: boolean;
  /** The processor's customer id, if it may be linked to the customer. */
  readonly payer?: string;
  /** Set if the payment was made before the customer's first known payment. */
  readonly overtakes?: boolean;
}

/** A sale with its commission state. */
interface EarningSale {
  readonly sale: Sale;
  /** The commission of the sale; undefined if no commission is due, or if it failed. */
  readonly commission?: SaleCommission;
  /** Why a commission could not be computed although one is due. */
  readonly failure?: RangeError;
}

export interface AttributedSale extends EarningSale {
  readonly outcome: 'attributed';
  /** The stored customer. Undefined if the payment creates it. */
  readonly stored: AttributedCustomer | undefined;
  /** The customer before this sale, except that the sale's coupon code may have moved it to another partner already. */
  readonly customer: AttributedCustomer;
  /** The customer after this sale. */
  readonly converted: AttributedCustomer;
  /** Another customer, who loses the key that this customer gets. */
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
 * Decides whether a payment is a sale of the customer's partner, and computes its commission.
 * @param agreed the terms by which the customer's partner is paid
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
  const guest = claim.resolvedBy === 'click_id' ? claim.guest : undefined;
  const { saleType } = facts;
  const converted = convertedCustomer(customer, { ...candidate, saleType, firstTerms, guest });
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

/**
 * Computes the commission of a sale.
 * @param firstPurchaseAt time of its customer's first purchase before this sale
 * @param verdict the verdict of the program's rules
 */
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
  /** The terms that are stored with the customer if this is its first sale. */
  readonly firstTerms: FirstTerms | undefined;
  readonly guest?: string;
  readonly saleType: DecidedFacts['saleType'];
}

/**
 * The customer after this sale. The key is linked to the customer, unless the customer has an unconfirmed lead. In that
 * case the key is stored as `unboundKey`, which distinguishes the customer from others who pay with the same click.
 * @param conversion its `customerKey` is the key that may be linked; undefined if there is none
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
 * The sale without its commission. It stores the data that `sale repair` needs to create the commission. Until then,
 * only the customer's partner (by the coupon code), its payer and its kinds of purchase are changed.
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
    // If this payment creates the customer, the key is taken from the customer who had it. Otherwise `sale repair`
    // takes the key when it creates the commission.
    claimant: stored ? undefined : claimant,
  };
};

import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import {
  type AttributedSale,
  decideSale,
  type SaleCandidate,
  type SaleDecision,
  withoutCommission,
} from '#lib/service/conversions/sales/sale-decision.ts';
import type { Claim } from '#lib/service/conversions/attribution/code-claim.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import {
  commitSale,
  newSaleWrites,
  repairedSaleWrites,
  unchangedSaleCheck,
} from '#lib/service/conversions/sales/sales-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import { type Write, WriteRejected } from '#lib/service/ground/table/writes.ts';
import { bindableKey, keyOfNewcomer, type NamedCustomer } from '#lib/service/traffic/customers/bindable-key.ts';
import { addressFacts } from '#lib/service/conversions/payers/compare-address.ts';
import { termsOfPayment } from '#lib/service/conversions/payments/terms-of-payment.ts';

/** A payment of a customer, before it is decided whether it counts as a partner's sale. */
export interface SaleToDecide extends Pick<
  SaleCandidate,
  'facts' | 'source' | 'saleId' | 'commissionId' | 'paidAt' | 'payer' | 'overtakes'
> {
  /** The identifiers with which the payment names its customer. */
  readonly named: NamedCustomer;
  /** The payer's e-mail address. */
  readonly email?: EmailTrace;
}

/**
 * Decides whether a payment is a sale of the customer's partner, and computes its commission and the new state of the
 * customer and its key.
 */
export async function decideBooking(
  deps: Deps,
  { named, email, ...payment }: SaleToDecide,
  claim: Claim,
  program: Program,
): Promise<SaleDecision> {
  const { table, now, config } = deps;
  const [key, agreed, { bursts }, ofAddress] = await Promise.all([
    claim.stored ? bindableKey(table, claim.customer, named, program) : keyOfNewcomer(table, claim.customer),
    termsOfPayment(deps, program, claim.customer, payment.facts),
    findAgreements(table, program.id),
    addressFacts(deps, program, claim.customer, email),
  ]);
  return decideSale({ ...payment, ...key, ...ofAddress, bursts, now }, claim, program, agreed, config.platformFeeBps);
}

/** A sale and its commission as they are stored, with further writes. */
interface Booking {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  readonly writes?: readonly Write[];
}

/**
 * Adds the caller's writes to the transaction of a sale, and may change sale and commission, for example to apply
 * earlier refunds. If the commission cannot be computed or stored, this function is called again without a commission.
 */
type Completion = (sale: Sale, commission: SaleCommission | undefined) => Booking | Promise<Booking>;

const asDecided: Completion = (sale, commission) => ({ sale, commission });

/**
 * Stores a new sale, its commission and its customer's new state in one transaction. If only the commission cannot be
 * computed or stored, the sale is stored without it and marked for `sale repair`, so that a payment is never lost.
 * @returns why the commission failed; undefined if it did not
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function bookSale(
  { table, log }: Deps,
  decision: AttributedSale,
  complete: Completion = asDecided,
): Promise<Error | undefined> {
  const store = async (decided: AttributedSale): Promise<void> =>
    commitSale(table, decided.sale, await writesOf(decided, newSaleWrites, complete));
  const failure = await commissionFailure(decision, store);
  if (!failure) return undefined;
  const { sale } = decision;
  log.error('commission_failed', failure, { program_id: sale.programId, sale_id: sale.id });
  await store(withoutCommission(decision));
  return failure;
}

/**
 * Adds the commission to a sale that was stored without it. If the commission fails again, the sale stays marked for
 * `sale repair`.
 * @param before the stored sale
 * @returns why the commission failed; undefined if it did not
 */
export const bookMissingCommission = (
  { table }: Pick<Deps, 'table'>,
  before: Sale,
  decision: AttributedSale,
  complete: Completion,
): Promise<Error | undefined> =>
  commissionFailure(decision, async (decided) => {
    // The caller's writes come last, and may be split over several transactions. If the request is interrupted between
    // them, the sale is still marked for repair, and the next repair makes the same writes again.
    const writes = await writesOf(decided, (after) => repairedSaleWrites(before, after), complete);
    await table.transactLong(writes, [unchangedSaleCheck(before)]);
  });

async function writesOf(
  decided: AttributedSale,
  saleWrites: (sale: Sale) => Write[],
  complete: Completion,
): Promise<Write[]> {
  const { stored, converted, claimant } = decided;
  const { sale, commission, writes = [] } = await complete(decided.sale, decided.commission);
  return [
    ...saleWrites(sale),
    ...(commission ? commissionWrites(commission) : []),
    ...customerWrites(stored, converted, sale, claimant),
    ...writes,
  ];
}

/**
 * Stores the sale with its commission or, if only the commission fails, without it.
 * @returns the error of the commission; undefined if it was stored
 */
async function commissionFailure(
  decision: AttributedSale,
  store: (decided: AttributedSale) => Promise<void>,
): Promise<Error | undefined> {
  try {
    if (decision.failure) throw decision.failure;
    await store(decision);
    return undefined;
  } catch (error) {
    if (!isCommissionFailure(error)) throw error;
    return error;
  }
}

/** Whether only the commission failed: its terms are invalid, or its writes were rejected. */
const isCommissionFailure = (error: unknown): error is Error =>
  error instanceof RangeError ||
  (error instanceof WriteRejected && error.names.length > 0 && error.names.every((name) => name === 'commission'));

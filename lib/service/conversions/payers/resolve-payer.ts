import { counts } from '#lib/service/traffic/customers/browser-claim.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import { payerNamesOf } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { beforeSale, boundPayer } from '#lib/service/conversions/attribution/reattribution.ts';
import {
  type ByAddress,
  customerOfOwnClick,
  customerOfPayment,
  isByAnother,
  type Resolved,
} from '#lib/service/conversions/attribution/resolution.ts';
import { isOtherGuest, payerOfGuest } from '#lib/service/conversions/payers/another-payer.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomer, findCustomerByEmail } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import {
  findCustomerByPayer,
  firstUnattributedOf,
  isBoundByAddress,
} from '#lib/service/conversions/payers/payers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { newSharer } from '#lib/service/conversions/payers/new-sharer.ts';

/**
 * Finds the customer of this program who made a payment.
 * @param sold the payment's sale, if it is recorded already; customers are then regarded as they were before this sale
 */
export async function resolvePayer(
  deps: Deps,
  payer: Payer,
  program: Program,
  sold?: Sale,
): Promise<Resolved<Customer> | undefined> {
  const { table } = deps;
  const { clickId, customerKey, processorCustomerId } = payer;
  const guest = guestOf(payer, program);
  const asked = { ...payer, guest };
  const beforeThisSale = (customer: Customer | undefined) => (sold ? beforeSale(customer, sold) : customer);
  const [clicked, ofPayer, isPayerByAddress, keyed] = await Promise.all([
    findCustomer(table, clickId),
    processorCustomerId === undefined ? undefined : findCustomerByPayer(table, program.id, processorCustomerId),
    processorCustomerId === undefined ? undefined : isBoundByAddress(table, program.id, processorCustomerId),
    findKeyedCustomer(table, program, customerKey),
  ]);
  const clickedHere = clicked?.programId === program.id ? clicked : undefined;
  const ofGuest = await findSharerOfGuest(table, clickedHere, guest);
  const found = {
    clicked: clickedHere,
    ofGuest: beforeThisSale(ofGuest),
    ofPayer: sold && isPayerByAddress && boundPayer(sold) ? undefined : beforeThisSale(ofPayer),
    isPayerByAddress,
    keyed: beforeThisSale(keyed),
  };
  // The customer by e-mail address is looked up only if no click of the payment decides already.
  const byClick = customerOfOwnClick(found, asked, program);
  if (byClick) return { ...byClick, guest };
  const [addressed, firstUnsoldAt] = await Promise.all([
    findAddressed(table, payer, program),
    firstUnattributedOf(table, program.id, payerNamesOf(payer, program)),
  ]);
  const one = customerOfPayment({ ...found, addressed, firstUnsoldAt }, asked, program);
  if (!one) return undefined;
  const resolved = isByAnother(one) ? newSharer(deps, one, { customerKey, payer: processorCustomerId, guest }) : one;
  return { ...resolved, guest };
}

/** The hashed e-mail address that identifies a guest. Undefined if the payment has a better identifier. */
export function guestOf(
  { processorCustomerId, customerKey, email, guest }: Payer,
  program: Program,
): string | undefined {
  if (processorCustomerId !== undefined || customerKey) return undefined;
  return email === undefined ? guest : traceEmail(email, program.emailSalt).hash;
}

/** The customer whom an earlier payment created for this guest, who had paid with another customer's click. */
const findSharerOfGuest = async (
  table: Table,
  clicked: Customer | undefined,
  guest: string | undefined,
): Promise<Customer | undefined> =>
  clicked && guest !== undefined && isOtherGuest(clicked, guest)
    ? findCustomerByPayer(table, clicked.programId, payerOfGuest(clicked.clickId, guest))
    : undefined;

/** The customer found by the key of a payment. */
export async function findKeyedCustomer(
  table: Table,
  program: Program,
  customerKey: string | undefined,
): Promise<Customer | undefined> {
  const keyed = await findCustomerByKey(table, program.id, customerKey);
  return keyed && counts(keyed.keyBoundBy, program) ? findCustomer(table, keyed.clickId) : undefined;
}

/** The customer found by the e-mail address of a payment. */
export async function findAddressed(
  table: Table,
  { email, foundByEmail: kept }: Payer,
  program: Program,
): Promise<ByAddress | undefined> {
  if (email !== undefined) {
    const { hash, masked } = traceEmail(email, program.emailSalt);
    const found = await findCustomerByEmail(table, program, hash);
    if (found) return { ...found, masked };
  }
  if (!kept || !counts(kept.isClaimed && 'browser', program)) return undefined;
  const customer = await findCustomer(table, kept.clickId);
  return customer && { customer, masked: kept.masked, isClaimed: kept.isClaimed };
}

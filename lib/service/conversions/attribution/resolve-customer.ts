import type { Program } from '#lib/service/programs/program/program.ts';
import {
  attributedElsewhere,
  type Refusal,
  saleCustomerNotFound,
  saleIdentifierMissing,
} from '#lib/service/ground/values/refusals.ts';
import { customerOfSale, isByAnother, type Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { programsOfCustomerKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findCustomerOfSaleByKey } from '#lib/service/conversions/payers/customer-of-key.ts';
import { warningsOfClick } from '#lib/service/traffic/clicks/warnings-of-click.ts';
import { newSharer } from '#lib/service/conversions/payers/new-sharer.ts';

/** The customer identifiers of a sale. Undefined if not sent. */
interface Identifiers {
  /** Set for test events, which match only test customers. */
  readonly isTest?: true;
  readonly customerKey?: string;
  readonly clickId?: string;
}

/** Finds the customer of this program by key first, then by click. */
export async function resolveCustomer(
  deps: Deps,
  { isTest, ...named }: Identifiers,
  programId: number,
): Promise<Resolved | undefined> {
  const { table } = deps;
  const [program, keyed, clicked] = await Promise.all([
    findProgram(table, programId),
    findCustomerOfSaleByKey(table, programId, named.customerKey, isTest),
    findCustomer(table, named.clickId, isTest),
  ]);
  if (!program) return undefined;
  const own = clicked?.programId === programId ? clicked : undefined;
  const found = customerOfSale({ clicked: own, keyed }, named, program);
  return isByAnother(found) ? newSharer(deps, found, named) : found;
}

/** Returns why no customer was found: no identifier was sent, another program has the customer, or no program has. */
export async function whyNoCustomer(
  deps: Deps,
  { customerKey, clickId }: Identifiers,
  { id: programId }: Program,
): Promise<Refusal> {
  if (customerKey === undefined && clickId === undefined) return saleIdentifierMissing();
  const { table } = deps;
  const [clicked, having, warnings] = await Promise.all([
    findCustomer(table, clickId),
    programsOfCustomerKey(table, customerKey),
    warningsOfClick(deps, clickId, programId),
  ]);
  const programs = [...having, ...(clicked ? [clicked.programId] : [])];
  return programs.some((id) => id !== programId) ? attributedElsewhere(warnings) : saleCustomerNotFound(warnings);
}

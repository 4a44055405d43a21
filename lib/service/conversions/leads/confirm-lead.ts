import { TRUST_SERVERS_ONLY } from '#lib/service/traffic/customers/browser-claim.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { confirmedLeadWrites, findLead } from '#lib/service/conversions/leads/leads-items.ts';
import { findPartnerOf } from '#lib/service/programs/partners/partners-items.ts';
import { bindableKey, type NamedCustomer } from '#lib/service/traffic/customers/bindable-key.ts';
import { traitsWithAddress } from '#lib/service/conversions/payers/compare-address.ts';

/** The customer data that a server sent. */
interface ServerLead extends NamedCustomer {
  readonly email?: string;
  readonly isEmailVerified?: boolean;
}

/**
 * Applies the data that a server sends about a customer whose signup is already recorded. If the server names the
 * click, its customer key and e-mail address replace those that only a browser had sent. If the key differs, the
 * browser's address is always removed, because it belonged to another person. Recorded sales, and values that a server
 * had sent before, do not change. The reply is the same whether or not anything changed.
 * @throws ConditionFailed after a concurrent change: reload and decide again
 */
export async function confirmLead(
  deps: Deps,
  program: Program,
  customer: Customer,
  request: ServerLead,
): Promise<void> {
  const { table } = deps;
  if (customer.leadState !== 'settled' || customer.isTest) return;
  const [lead, key] = await Promise.all([
    findLead(table, customer.clickId),
    bindableKey(table, customer, request, TRUST_SERVERS_ONLY),
  ]);
  if (!lead) return;
  const named = withServersKey(customer, key);
  const isOtherKey = customer.customerKey !== undefined && named.customerKey !== customer.customerKey;
  const confirmed = withServersAddress(lead, request, isOtherKey, program, deps.now);
  if (named === customer && confirmed === lead) return;
  const email = confirmed === lead ? customer.email : confirmed.email;
  const isOther = email?.hash !== customer.email?.hash;
  const partner = isOther ? await findPartnerOf(table, customer) : undefined;
  const compared = isOther ? await traitsWithAddress(deps, program, customer.traits, email, partner) : undefined;
  const traits = compared ?? customer.traits;
  const after = { customer: { ...named, email, traits }, lead: confirmed };
  await table.transact(confirmedLeadWrites({ customer, lead }, after, key.claimant));
  table.forget();
}

function withServersKey(
  customer: Customer,
  { customerKey, confirmsKey }: { readonly customerKey?: string; readonly confirmsKey?: boolean },
): Customer {
  const changes = customerKey !== undefined || (confirmsKey === true && customer.keyBoundBy !== undefined);
  return changes ? { ...customer, customerKey: customerKey ?? customer.customerKey, keyBoundBy: undefined } : customer;
}

/**
 * Returns the lead with the e-mail address by which payments find the customer: the server's, unless a server has
 * confirmed another one before. A browser's address is removed if the server sent another key, but no new address.
 * @param isOtherKey whether the server sent another key than the browser
 */
function withServersAddress(
  lead: Lead,
  { email, isEmailVerified }: ServerLead,
  isOtherKey: boolean,
  { emailSalt }: Program,
  now: Date,
): Lead {
  const isProven = lead.emailListedAt !== undefined && lead.emailClaimedBy === undefined;
  if (isProven) return lead;
  if (email !== undefined && isEmailVerified !== false) {
    return {
      ...lead,
      email: traceEmail(email, emailSalt),
      emailListedAt: now.toISOString(),
      emailClaimedBy: undefined,
    };
  }
  const isDisowned = isOtherKey && lead.emailClaimedBy !== undefined;
  return isDisowned ? { ...lead, email: undefined, emailListedAt: undefined, emailClaimedBy: undefined } : lead;
}

import type { Customer } from '#lib/domain/customer.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/deps.ts';
import { findCustomerByKey } from '#lib/store/customers.ts';
import { findLead, settledLeadWrites } from '#lib/store/leads.ts';

/**
 * Settles the provisional lead of a customer whose payment came through the processor (specification 3). It keeps its
 * time, so the signup is when it happened, and its key is bound: that of the metadata, else the one it claimed.
 * @returns the customer as it is afterwards
 */
export async function settleLead(
  deps: Deps,
  { settlesLead, payer }: ProcessorPayment,
  resolved: Resolved<Customer>,
  program: Program,
): Promise<Resolved<Customer>> {
  const { table } = deps;
  const { customer } = resolved;
  if (!settlesLead || customer.leadState !== 'provisional') return resolved;
  const lead = await findLead(table, customer.clickId);
  if (!lead) throw new Error(`Customer ${customer.clickId} has a provisional lead, which does not exist`);
  const wantedKey = customer.customerKey ?? (payer.customerKey || lead.claimedKey);
  const holder = await findCustomerByKey(table, program.id, wantedKey);
  const settled: Customer = {
    ...customer,
    status: customer.status === 'click' ? 'lead' : customer.status,
    leadState: 'settled',
    signupAt: lead.createdAt,
    customerKey: customer.customerKey ?? (holder ? undefined : wantedKey),
    email: lead.email ?? customer.email,
  };
  await table.transact(settledLeadWrites(customer, settled, { ...lead, state: 'settled', mode: 'processor' }));
  // What follows is decided on the customer as it is now.
  table.forget();
  return { ...resolved, customer: settled };
}

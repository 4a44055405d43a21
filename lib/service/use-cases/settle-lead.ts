import { customerOfLead, leadCommission } from '#lib/domain/commission-without-sale.ts';
import type { Customer } from '#lib/domain/customer.ts';
import { traceEmail } from '#lib/domain/email.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAgreements } from '#lib/service/store/agreements.ts';
import { findLead, settledLeadWrites } from '#lib/service/store/leads.ts';
import { findPartnerOf } from '#lib/service/store/partners.ts';
import { bindableKey } from '#lib/service/use-cases/bindable-key.ts';
import { isOfDisposable, traitsWithAddress } from '#lib/service/use-cases/compare-address.ts';
import { termsInForce } from '#lib/service/use-cases/terms-in-force.ts';

/**
 * Settles the provisional lead of a customer whose payment came through the processor. It keeps its time, so the signup
 * is when it happened; what it earns counts on the day of the payment. An anonymous browser's claims are accepted only as
 * far as the payment confirms them: the payment must name the click, its metadata the customer key, and the payer must
 * have the address.
 * @returns the customer as it is afterwards
 */
export async function settleLead(
  deps: Deps,
  { settlesLead, payer, paidAt }: ProcessorPayment,
  resolved: Resolved<Customer>,
  program: Program,
): Promise<Resolved<Customer>> {
  const { table, now } = deps;
  const { customer, resolvedBy } = resolved;
  if (!settlesLead || resolvedBy !== 'click_id' || customer.leadState !== 'provisional') return resolved;
  // Read together; the terms of whoever brought the lead are in the second.
  const [lead, { bursts }, partner] = await Promise.all([
    findLead(table, customer.clickId),
    findAgreements(table, program.id),
    findPartnerOf(table, customer),
  ]);
  if (!lead) throw new Error(`Customer ${customer.clickId} has a provisional lead, which does not exist`);
  const { customerKey, claimant } = await bindableKey(table, customer, payer, program);
  const settled: Customer = {
    ...customer,
    status: customer.status === 'click' ? 'lead' : customer.status,
    leadState: 'settled',
    signupAt: lead.createdAt,
    customerKey: customer.customerKey ?? customerKey,
    email: lead.email ?? customer.email,
    traits: (await traitsWithAddress(deps, program, customer.traits, lead.email, partner)) ?? customer.traits,
  };
  const paidWith = payer.email === undefined ? undefined : traceEmail(payer.email, program.emailSalt);
  const address = paidWith?.hash === lead.email?.hash ? paidWith : undefined;
  const earner = customerOfLead(settled, lead);
  const isDisposable = await isOfDisposable(deps, program, earner, paidWith);
  const earning = { program, customer: earner, lead, paidAt, actor: 'processor', now, bursts, isDisposable } as const;
  const commission = leadCommission(earning, await termsInForce(deps, program, earner.partnerId));
  await table.transact(
    settledLeadWrites(
      customer,
      settled,
      { ...lead, state: 'settled', mode: 'processor' },
      { provisional: lead, address, claimant, commission, now },
    ),
  );
  // The following decisions use the customer as it is now.
  table.forget();
  return { ...resolved, customer: settled };
}

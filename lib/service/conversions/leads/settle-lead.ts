import { customerOfLead, leadCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findLead, settledLeadWrites } from '#lib/service/conversions/leads/leads-items.ts';
import { findPartnerOf } from '#lib/service/programs/partners/partners-items.ts';
import { bindableKey } from '#lib/service/traffic/customers/bindable-key.ts';
import { isOfDisposable, traitsWithAddress } from '#lib/service/conversions/payers/compare-address.ts';
import { termsInForce } from '#lib/service/programs/terms/terms-in-force.ts';

/**
 * Settles the provisional lead of a customer whose payment came through the processor. The signup keeps the time of the
 * provisional lead; its commission is counted on the day of the payment. The key and e-mail address that the browser
 * had sent are accepted only if the payment confirms them: it must contain the click id, the customer key in its
 * metadata, and the same e-mail address of the payer.
 * @returns the customer after the change
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
  // These reads run in parallel. The second one returns the terms of the lead's partner.
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
      { address, claimant, commission, now },
    ),
  );
  // Clears the read cache, because later decisions must use the changed customer.
  table.forget();
  return { ...resolved, customer: settled };
}

import type { AttributedCustomer, Customer } from '#lib/domain/customer.ts';
import { type EmailTrace, isOfMailbox, mailDomainOf } from '#lib/domain/email.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { type CustomerTraits, rulesOf } from '#lib/domain/rules.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findCustomer } from '#lib/service/store/customers.ts';
import { findPartnerOf } from '#lib/service/store/partners.ts';

/**
 * What a customer's address has in common with that of its partner, where that is not noted with the customer: its
 * partner is another one by now, or only the payment tells the address.
 * @param email of the payer
 * @returns undefined when it is noted, or nothing is known
 */
export async function compareAddress(
  { table }: Pick<OperatorDeps, 'table'>,
  program: Program,
  customer: AttributedCustomer & Pick<Partial<Customer>, 'email'>,
  email: EmailTrace | undefined,
): Promise<CustomerTraits['compared']> {
  const { clickId, partnerId, traits } = customer;
  if (rulesOf(program).self_referral === 'off' || traits?.compared?.partnerId === partnerId) return undefined;
  const known = email ?? customer.email;
  // The item of a key has no address.
  const trace = known ?? (traits?.mailDomain === undefined ? undefined : (await findCustomer(table, clickId))?.email);
  const partner = trace && (await findPartnerOf(table, customer));
  return partner && compared(program, trace, partner);
}

const compared = ({ emailSalt }: Program, trace: EmailTrace, { id, email }: Partner) => ({
  partnerId: id,
  ...(isOfMailbox(trace, email, emailSalt) && ({ address: true } as const)),
});

/** The traits of a customer whose address became known. */
export const traitsWithAddress = (
  program: Program,
  traits: CustomerTraits | undefined,
  trace: EmailTrace | undefined,
  partner: Partner | undefined,
): CustomerTraits | undefined =>
  trace && {
    ...traits,
    mailDomain: mailDomainOf(trace),
    compared: partner ? compared(program, trace, partner) : traits?.compared,
  };

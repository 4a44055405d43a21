import { isSignupWithin } from '#lib/service/traffic/customers/attribution-window.ts';
import {
  type AuditRow,
  holdUntil,
  type LeadCommission,
  type ManualCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { type AttributedCustomer, creditedLink } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type RuleFacts, verdictOn, withVerdict } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';

/** The input for a commission that an owner grants to a partner. The amount of a deduction is negative. */
export type Grant = Pick<ManualCommission, 'amountCents' | 'currency' | 'reason' | 'externalId'>;

/** Ids of a new commission without a sale. */
interface Names {
  readonly id: number;
  readonly programId: number;
  readonly partnerId: number;
}

/** Creates a manual commission. It is approved immediately: it has no payment that could be refunded. */
export function newManualCommission(names: Names, grant: Grant, actor: Actor, now: Date): ManualCommission {
  const at = now.toISOString();
  const { amountCents, reason } = grant;
  const created: AuditRow = { at, actor, action: 'created', from: null, to: 'approved', amountCents, reason };
  return {
    ...names,
    ...grant,
    kind: 'manual',
    status: 'approved',
    deductedCents: 0,
    refundState: 'none',
    occurredAt: at,
    holdUntil: at,
    approvedAt: at,
    createdAt: at,
    history: [created],
  };
}

/** A lead at the time when it is confirmed, so that it can earn a commission. */
export interface SettledLead extends RuleFacts {
  readonly program: Program;
  /** The customer after the lead is settled. */
  readonly customer: AttributedCustomer;
  readonly lead: Pick<Lead, 'id' | 'createdAt'>;
  /** Time of the payment that settles the lead. Undefined if a server's lead request settles it. */
  readonly paidAt?: Date;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * The customer with the partner it had when the lead was recorded. If a coupon code moved the customer to another
 * partner later, the lead's commission still belongs to the first one.
 */
export const customerOfLead = (
  customer: AttributedCustomer,
  { partnerId, shortLink }: Pick<Lead, 'partnerId' | 'shortLink'>,
): AttributedCustomer =>
  customer.code === undefined || customer.partnerId === undefined
    ? customer
    : { ...customer, partnerId, shortLink, code: undefined };

/**
 * The commission that a customer's lead earns; undefined if it earns none. The commission gets the lead's id, so a
 * second one for the same lead cannot be stored.
 */
export function leadCommission(settled: SettledLead, terms: TermsInForce): LeadCommission | undefined {
  const { program, customer, lead, paidAt, actor, now } = settled;
  const { clickId, partnerId } = customer;
  const { leadCommissionCents: amountCents = 0 } = terms;
  if (amountCents === 0 || customer.isTest || partnerId === undefined) return undefined;
  if (program.removedPartnerIds.includes(partnerId)) return undefined;
  const { signupAt = lead.createdAt } = customer;
  if (!isSignupWithin(customer, signupAt, program.attributionWindowDays)) return undefined;
  const at = now.toISOString();
  const commission: LeadCommission = {
    id: lead.id,
    programId: program.id,
    partnerId,
    shortLink: creditedLink(customer),
    clickId,
    kind: 'lead',
    leadId: lead.id,
    terms: terms.version,
    status: 'pending',
    amountCents,
    currency: program.currency,
    deductedCents: 0,
    refundState: 'none',
    occurredAt: paidAt?.toISOString() ?? lead.createdAt,
    holdUntil: holdUntil(now, terms.holdPeriodDays).toISOString(),
    createdAt: at,
    history: [{ at, actor, action: 'created', from: null, to: 'pending', amountCents, reason: null }],
  };
  return withVerdict(commission, verdictOn(program, customer, settled, now));
}

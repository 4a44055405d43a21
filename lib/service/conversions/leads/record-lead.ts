import { counts, TRUST_SERVERS_ONLY } from '#lib/service/traffic/customers/browser-claim.ts';
import { leadCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import {
  type AttributedCustomer,
  creditedLink,
  type Customer,
  customerMayBecome,
  givesUpKey,
} from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  leadCustomerNotFound,
  leadCustomerOfOtherProgram,
  leadIdentifierMissing,
  leadStatusRefused,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey, programsOfCustomerKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findLead, provisionalLeadWrites, settledLeadWrites } from '#lib/service/conversions/leads/leads-items.ts';
import { hasPartnerAt } from '#lib/service/programs/addresses/partners-at-items.ts';
import { partnerToCompare } from '#lib/service/conversions/leads/partner-to-compare.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { NamedItemMissing } from '#lib/service/ground/table/writes.ts';
import { confirmLead } from '#lib/service/conversions/leads/confirm-lead.ts';
import { networkOfSignup, recordSignup, type Signup } from '#lib/service/traffic/clicks/record-bursts.ts';
import { isOfDisposable, traitsWithAddress } from '#lib/service/conversions/payers/compare-address.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { termsInForce } from '#lib/service/programs/terms/terms-in-force.ts';
import { warningsOfClick } from '#lib/service/traffic/clicks/warnings-of-click.ts';

export interface LeadRequest extends Pick<Lead, 'isTest' | 'eventName' | 'pageUrl' | 'sessionId' | 'otherClickIds'> {
  /** The click id; undefined if not sent. An invalid value counts as sent (see `identifierOf`). */
  readonly clickId?: string;
  readonly customerKey?: string;
  /** The e-mail address, trimmed and in lower case. It is never stored as such. */
  readonly email?: string;
  /** False if the server has not verified the address. Payments then do not find the customer by this address. */
  readonly isEmailVerified?: boolean;
  readonly programId?: number;
}

export type RecordedLead = 'settled' | 'provisional';

/**
 * Records a signup.
 * @param keyProgramId program of the key in server mode; undefined in browser mode
 * @param sender the network from which a browser sends it
 * @throws Refusal if no customer of the program matches, or if its status cannot change to lead
 */
export async function recordLead(
  deps: Deps,
  request: LeadRequest,
  keyProgramId: number | undefined,
  sender?: string,
): Promise<RecordedLead> {
  if (request.clickId === undefined && request.customerKey === undefined) throw leadIdentifierMissing();
  const { state, signup } = await retryOnConflict(deps, () => decideLead(deps, request, keyProgramId, sender));
  if (signup) await recordSignup(deps, signup);
  return state;
}

interface DecidedLead {
  readonly state: RecordedLead;
  /** The stored signup that this lead confirms or repeats. Undefined if the customer has not signed up yet. */
  readonly signup?: Signup;
}

/** Starts the reads of a lead early. @param hintedProgramId the program id in the key; undefined in browser mode */
export function readAheadOfLead(
  { table }: Deps,
  { clickId, customerKey, email, programId }: LeadRequest,
  hintedProgramId: number | undefined,
): Promise<unknown>[] {
  const likelyProgramId = hintedProgramId ?? programId;
  return [
    findCustomer(table, clickId),
    findLead(table, clickId),
    ...(likelyProgramId === undefined
      ? []
      : [
          findProgram(table, likelyProgramId),
          findAgreements(table, likelyProgramId),
          findCustomerByKey(table, likelyProgramId, customerKey),
        ]),
    ...(hintedProgramId === undefined || email === undefined ? [] : [hasPartnerAt(table, hintedProgramId, email)]),
  ];
}

async function decideLead(
  deps: Deps,
  request: LeadRequest,
  keyProgramId: number | undefined,
  sender: string | undefined,
): Promise<DecidedLead> {
  const { table } = deps;
  const [clicked, id] = await Promise.all([findCustomer(table, request.clickId, request.isTest), deps.ids.take(table)]);
  const programId = keyProgramId ?? (await programOfBrowserLead(deps, request, clicked));
  if (programId === undefined) throw leadCustomerNotFound();
  deps.logContext.programId = programId;
  const [program, keyed, { bursts }] = await Promise.all([
    findProgram(table, programId),
    findCustomerByKey(table, programId, request.customerKey, request.isTest),
    // These reads run in parallel. The first read returns the terms of the customer's partner.
    findAgreements(table, programId),
  ]);
  const isServer = keyProgramId !== undefined;
  const own = clicked?.programId === programId ? clicked : undefined;
  if (!program) throw await noCustomer(deps, request, clicked, keyProgramId);
  const claimant = isServer && keyed && own && givesUpKey(keyed, own, TRUST_SERVERS_ONLY) ? keyed : undefined;
  const counting = keyed && counts(keyed.keyBoundBy, program) ? keyed : undefined;
  const found = claimant ? own : (counting ?? own ?? keyed);
  if (!found) throw await noCustomer(deps, request, clicked, keyProgramId);
  if (!mayBecomeLead(found)) {
    if (isServer && own && own.clickId === found.clickId) await confirmLead(deps, program, own, request);
    throw leadStatusRefused(found.status);
  }
  const isSettled = isServer || program.leadAuth === 'browser_allowed';
  if (!isSettled && found.leadState === 'provisional') return { state: 'provisional' };

  const [customer, provisional, terms, partner] = await Promise.all([
    findCustomer(table, found.clickId, request.isTest),
    findLead(table, found.clickId),
    isSettled ? termsInForce(deps, program, found.partnerId) : undefined,
    isSettled ? partnerToCompare(deps, program, found, request) : undefined,
  ]);
  // The customer was erased or unlinked after its key's item was read. So this request reloads the key's item and
  // decides again.
  if (!customer) throw new NamedItemMissing('customer');
  const lead = leadOf(request, customer, program, provisional ?? { id, createdAt: deps.now.toISOString() });
  const mode = isServer ? 'server' : 'browser';
  if (!terms) {
    const claimedKey = request.customerKey || undefined;
    await table.transact(provisionalLeadWrites(customer, { ...lead, state: 'provisional', mode, claimedKey }));
    return { state: 'provisional' };
  }
  const compared = (await traitsWithAddress(deps, program, customer.traits, lead.email, partner)) ?? customer.traits;
  const network = isServer ? undefined : await networkOfSignup(deps, program, sender);
  const settled = {
    ...settledCustomer(deps, customer, request, lead, mode),
    traits: network === undefined ? compared : { ...compared, network },
  };
  // An unverified address is stored and shown, but payments do not find the customer by it, because it may belong to
  // someone else.
  const isUnverified = isServer && request.isEmailVerified === false;
  const address = request.email === undefined || isUnverified ? undefined : lead.email;
  const isDisposable = await isOfDisposable(deps, program, settled);
  const earning = { program, customer: settled, lead, actor: 'api', now: deps.now, bursts, isDisposable } as const;
  const commission = leadCommission(earning, terms);
  const settlement = { address, claimant, commission, now: deps.now };
  await table.transact(settledLeadWrites(customer, settled, { ...lead, state: 'settled', mode }, settlement));
  const signup = { program, partnerId: settled.partnerId, network: settled.traits?.network };
  return { state: 'settled', signup: request.isTest ? undefined : signup };
}

/**
 * Returns the program of a lead that a browser sent: the program of the click, else the one named in the body, else the
 * only program that has a customer with this key.
 */
async function programOfBrowserLead(
  deps: Deps,
  request: LeadRequest,
  clicked: Customer | undefined,
): Promise<number | undefined> {
  if (clicked) return clicked.programId;
  if (request.programId !== undefined) return request.programId;
  const [only, ...others] = await programsOfCustomerKey(deps.table, request.customerKey);
  return others.length === 0 ? only : undefined;
}

/**
 * Refuses a lead for which no customer was found. The refusal shows a server that the customer belongs to another
 * program; a browser gets no information about other programs.
 */
async function noCustomer(
  deps: Deps,
  request: LeadRequest,
  clicked: Customer | undefined,
  keyProgramId: number | undefined,
) {
  if (keyProgramId === undefined) return leadCustomerNotFound();
  const [having, warnings] = await Promise.all([
    programsOfCustomerKey(deps.table, request.customerKey),
    warningsOfClick(deps, request.clickId, keyProgramId),
  ]);
  const isElsewhere = clicked || having.length > 0;
  return isElsewhere ? leadCustomerOfOtherProgram(warnings) : leadCustomerNotFound(warnings);
}

const mayBecomeLead = ({ status }: AttributedCustomer): boolean =>
  customerMayBecome.lead.some((allowed) => allowed === status);

/** Builds the lead. Values of the provisional lead are kept unless new ones were sent. */
function leadOf(
  request: LeadRequest,
  customer: Customer,
  program: Program,
  known: Pick<Lead, 'id' | 'createdAt'> & Partial<Lead>,
): Omit<Lead, 'state' | 'mode'> {
  const { clickId, programId, partnerId } = customer;
  return {
    ...known,
    isTest: request.isTest,
    clickId,
    programId,
    partnerId,
    shortLink: creditedLink(customer),
    email: request.email === undefined ? known.email : traceEmail(request.email, program.emailSalt),
    eventName: request.eventName ?? known.eventName,
    pageUrl: request.pageUrl ?? known.pageUrl,
    sessionId: request.sessionId ?? known.sessionId,
    otherClickIds: request.otherClickIds ?? known.otherClickIds,
  };
}

function settledCustomer(
  deps: Deps,
  customer: Customer,
  request: LeadRequest,
  lead: Pick<Lead, 'email'>,
  mode: 'server' | 'browser',
): Customer {
  const sentKey = request.customerKey || undefined;
  const bindsKey = customer.customerKey === undefined && sentKey !== undefined;
  if (customer.customerKey !== undefined && sentKey !== undefined && sentKey !== customer.customerKey) {
    deps.log.warn('customer_keeps_key', { click_id: customer.clickId, program_id: customer.programId });
  }
  return {
    ...customer,
    status: 'lead',
    leadState: 'settled',
    signupAt: deps.now.toISOString(),
    customerKey: customer.customerKey ?? sentKey,
    keyBoundBy: bindsKey && mode === 'browser' ? mode : customer.keyBoundBy,
    email: lead.email ?? customer.email,
  };
}

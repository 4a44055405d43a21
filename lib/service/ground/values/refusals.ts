import { shownValue } from '#lib/service/ground/values/event-texts.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';

/** The kind of a refusal. The HTTP layer maps each kind to a status and a name. */
export type RefusalKind =
  | 'badRequest'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'tooMany'
  | 'failure';

interface RefusalParts {
  /** A stable code, if it differs from that of the kind. */
  readonly code?: string;
  /** `error.details` in the platform's error format. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** If present, the reply uses the typed envelope with these keys, the `code` above and `message`. */
  readonly typed?: Readonly<Record<string, unknown>>;
  /** Keys next to `error` at the top of the body. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Warnings that the reply contains in addition to the error. */
  readonly warnings?: readonly WarningCode[];
}

/** An expected error that is reported to the caller. Only the functions below create it; any other error is a 500. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly parts: RefusalParts;

  constructor(kind: RefusalKind, message: string, parts: RefusalParts = {}) {
    super(message);
    this.kind = kind;
    this.parts = parts;
  }
}

// Refusals of the tracking endpoints. Each has its kind's error code (such as `badRequest`), unless one is given here.

const conflict = (message: string) => new Refusal('conflict', message);
const notFound = (message: string) => new Refusal('notFound', message);
/** An internal failure, with a message of the endpoint. */
export const failed = (message: string, parts?: RefusalParts) => new Refusal('failure', message, parts);

export const badRequest = (message: string) => new Refusal('badRequest', message);
export const bodyIsNoJsonObject = () => badRequest('Invalid JSON body');
export const bodyTooLarge = () => badRequest('Request body too large');
/** Refuses a field that the call does not have. @param sent the field's name, which may be as long as a request body */
export const unknownField = (sent: string, meant: string) =>
  badRequest(`Unknown field ${sent.slice(0, 255).toWellFormed()}. Did you mean ${meant}?`);

export const unauthorized = (message: string) => new Refusal('unauthorized', message);
/** Refuses a request that bypasses CloudFront. @param baseUrl the public URL */
export const edgeOnly = (baseUrl: string) =>
  new Refusal('forbidden', `This address takes no requests. Send them to ${baseUrl} instead.`);
export const routeNotFound = () => notFound('Not Found');

/** Messages for a refused program key. */
export const programKeyTexts = {
  malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>',
  empty: 'Missing API token',
  unknown: 'Invalid API token',
} as const;

/** Messages of the readiness route. They end with a period and have the typed format, as existing clients expect. */
export const readinessKeyTexts = {
  malformed: `${programKeyTexts.malformed}.`,
  empty: `${programKeyTexts.empty}.`,
  unknown: `${programKeyTexts.unknown}.`,
} as const;
export const keyInvalid = (message: string) => new Refusal('unauthorized', message, { code: 'invalid_key', typed: {} });

export const cliKeyTexts = {
  ...programKeyTexts,
  unknown:
    'Invalid API key. Ask a workspace owner to regenerate it in Settings → API Key, then replace the key you are sending.',
} as const;

export const agentKeyTexts = { ...programKeyTexts, unknown: 'Invalid agent key' } as const;
export const scopeMissing = (scope: string) => new Refusal('forbidden', `Missing required scope: ${scope}`);

export const tooManyChains = (retryAfterSeconds: number) =>
  new Refusal('tooMany', 'Too many synthetic chains (max 10/program/hour).', {
    code: 'rate_limited',
    typed: { status: 429, retry_after_seconds: retryAfterSeconds },
  });

export const keyRetired = (notice: { message: string; hint: string; docsUrl: string }) =>
  new Refusal('unauthorized', notice.message, {
    code: 'api_key_rotation_required',
    typed: { hint: notice.hint, docs_url: notice.docsUrl },
  });

export const rateLimited = (retryAfterSeconds: number) =>
  new Refusal('tooMany', `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
    code: 'rate_limited',
    typed: { status: 429, retry_after_seconds: retryAfterSeconds },
  });

/** The refusal when each retry failed because other changes were written first. @param cause the last failure */
export const alwaysOvertaken = (retryAfterSeconds: number, cause: Error) =>
  Object.assign(rateLimited(retryAfterSeconds), { cause });

/** The refusal of an invitation. The message does not reveal whether other workspaces have invited the person. */
export const invitationLimited = (retryAfterSeconds: number, hours = Math.ceil(retryAfterSeconds / 3_600)) =>
  new Refusal(
    'tooMany',
    `This invitation cannot be sent now: a person gets few invitations a week, and a workspace reaches a limited number of new people a day. Try again in ${hours} hours.`,
    { code: 'rate_limited', typed: { status: 429, retry_after_seconds: retryAfterSeconds } },
  );
export const isInvitationLimit = (error: unknown): boolean => error instanceof Refusal && error.kind === 'tooMany';

export const programMismatch = () => new Refusal('forbidden', 'program_id does not match the API key');

// Refusals of a click.

export const affiliateUrlMissing = () => badRequest('affiliate_url is required');
export const affiliateUrlInvalid = () => badRequest('Invalid affiliate_url');
export const affParameterMissing = () => badRequest('No aff parameter found in affiliate_url');
export const linkNotFound = () => badRequest('Referral link not found');
export const linkMisconfigured = () => badRequest('Invalid referral link configuration');

export const linkDisabled = () =>
  new Refusal('gone', 'Referral link is inactive', {
    code: 'link_disabled',
    typed: { hint: 'Ask the program owner to reactivate this link.' },
    beside: { success: false, message: 'Referral link is inactive' },
  });

// Refusals of a lead.

export const leadIdentifierMissing = () => badRequest('click_id or customer_key is required');
export const leadCustomerNotFound = (warnings: readonly WarningCode[] = []) =>
  new Refusal('badRequest', 'Customer not found. Provide a valid click_id or customer_key.', { warnings });
export const leadCustomerOfOtherProgram = (warnings: readonly WarningCode[] = []) =>
  new Refusal('badRequest', 'Customer does not belong to this program', { warnings });
export const leadStatusRefused = (status: string) =>
  badRequest(`Customer status cannot be updated to lead. Current status: ${status}`);

// Refusals of a sale.

const noAttribution = (message: string, warnings: readonly WarningCode[] = []) =>
  new Refusal('badRequest', message, { code: 'no_attribution', warnings });

const SALE_CUSTOMER_NOT_FOUND = 'Customer not found. Provide customer_key or click_id.';
export const saleIdentifierMissing = () => badRequest(SALE_CUSTOMER_NOT_FOUND);
export const saleCustomerNotFound = (warnings: readonly WarningCode[] = []) =>
  noAttribution(SALE_CUSTOMER_NOT_FOUND, warnings);
export const attributedElsewhere = (warnings: readonly WarningCode[] = []) =>
  noAttribution('No affiliate attribution found for this customer in this program', warnings);
export const noPartnerRelation = () => noAttribution('No partner-program relationship found for this customer');
export const partnerMissing = () => noAttribution('partnerId required to create commission');
export const currencyUnsupported = (currency: string) =>
  new Refusal('unprocessable', `currency ${currency} is not supported`, { code: 'unsupported_currency' });
/** Refuses a sale whose transaction id is recorded already. @param own whether that sale is of the caller's program */
export const duplicateTransaction = (saleId: number, own: boolean) =>
  new Refusal('conflict', 'Duplicate transaction_id. This sale has already been recorded.', {
    code: 'duplicate_transaction',
    details: { sale_id: saleId, own },
  });
export const commissionNotCreated = () => failed('Failed to create commission');

// Refusals of a refund.

export const saleToRefundNotFound = () => notFound('Sale not found for transaction_id');
export const refundAboveSale = (saleCents: number) =>
  badRequest(`refund_amount_cents must be at most the amount of the sale, ${saleCents}`);
export const refundRecordedOtherwise = (refundId: string, amountCents: number) =>
  badRequest(`refund_id ${refundId} is recorded with ${amountCents}. Send correction: true to change it.`);

// Refusals of the CLI's login and account routes.

export const nothingToChange = (fields: readonly string[]) =>
  badRequest(`Nothing to change. Send at least one of: ${fields.join(', ')}`);
export const SEEN_INVALID = 'seen must be an object';
/**
 * Refuses a change that was based on outdated values.
 * @param changed present values by field; @param by who made the last change; @param at when; null if unknown
 */
export const changedMeanwhile = (changed: Readonly<Record<string, unknown>>, by: string | null, at: string | null) =>
  new Refusal('conflict', `Changed meanwhile: ${Object.keys(changed).join(', ')}`, {
    details: { changed, by: by === null ? null : { name: by }, at },
  });
export const missingFields = (fields: readonly string[]) => badRequest(`Missing required fields: ${fields.join(', ')}`);
export const loginNotFound = () => notFound('Session not found or already used');
export const loginExpired = () => badRequest('Session expired');
export const loginStateMissing = () => badRequest('Missing state parameter');
export const loginUnknown = () => notFound('Session not found');
export const loginConsumed = () => badRequest('Session already consumed');
export const invitationNeeded = () =>
  new Refusal('forbidden', 'Sign-up is by invitation only. Ask a workspace owner to invite you.');
export const emailDomainRefused = () =>
  new Refusal(
    'forbidden',
    'Accounts of this e-mail domain are not allowed here. Sign in with another address, or ask the operator of this service.',
  );
export const accountSuspended = () =>
  new Refusal('forbidden', 'Your account has been suspended.', { details: { code: 'ACCOUNT_BLOCKED' } });
export const noAdvertiser = () => new Refusal('forbidden', 'No advertiser account found for this user');
export const foreignAdvertiser = () =>
  new Refusal('forbidden', 'advertiser_id does not match the authenticated account');
export const paymentConnectRetired = () =>
  new Refusal('gone', 'This endpoint is retired. Connect your payment processor from the dashboard: program Settings.');

// Messages for a refused login token. The objects share no spread (`...`), which bundlers would keep even if unused.
const LOGIN_UNKNOWN = 'Invalid or expired token';
const ACCOUNT_GONE = 'User not found';
export const dashboardLoginTexts = {
  missing: 'Sign in to continue',
  unknown: LOGIN_UNKNOWN,
  accountGone: ACCOUNT_GONE,
} as const;
export const cliLoginTexts = {
  missing: 'Authentication required — run `affitor login` first',
  unknown: LOGIN_UNKNOWN,
  accountGone: ACCOUNT_GONE,
} as const;
export const accountGone = () => unauthorized(ACCOUNT_GONE);
export const idTokenInvalid = () => unauthorized('Invalid or expired id_token');
/** The refusal of an action for which the sign-in is too old. */
export const signInAgain = () => new Refusal('forbidden', 'Sign in again for this');
/** The refusal of an action that is not allowed with a terminal's token. */
export const signInOnPage = () => new Refusal('forbidden', 'Sign in on the page for this');

// Refusals about workspaces and members.

export const noWorkspace = () => new Refusal('forbidden', 'No workspace found for this account');
export const ownerOnly = () => new Refusal('forbidden', 'Only a workspace owner can do this');
export const alreadyInWorkspace = () => conflict('This account already has a workspace');
export const tokenNotFound = () => notFound('Token not found');
export const auditEntryNotFound = () => notFound('Entry not found');
export const memberNotFound = () => notFound('Member not found');
export const membersFull = (most: number) => conflict(`A workspace has at most ${most} members`);
export const programsFull = (most: number) => conflict(`A workspace has at most ${most} programs`);
export const invitationNotFound = () => notFound('Invitation not found');
export const ownerRequired = () => conflict('A workspace needs at least one owner');

// Refusals of lists.

export const limitInvalid = () => badRequest('limit must be an integer from 1 to 100');
export const cursorInvalid = () => badRequest('Invalid cursor');
export const notOneOf = (field: string, sent: unknown, valid: readonly string[]) =>
  badRequest(notOneOfText(field, sent, valid));
export const notOneOfText = (field: string, sent: unknown, valid: readonly string[]): string =>
  `Invalid ${field}: ${shownValue(sent)}. Valid: ${valid.join(', ')}`;

export const dateInvalid = (field: string) => badRequest(`${field} must be a date (YYYY-MM-DD)`);
export const timeInvalid = (field: string) => badRequest(`${field} must be a UTC time (YYYY-MM-DDTHH:MM:SS.sssZ)`);
export const rangeReversed = () => badRequest('from must not be after to');
export const compareIncomplete = () => badRequest('compare needs from, to and a sort by a figure');
export const rangeTooLong = (mostDays: number) => badRequest(`The range must not exceed ${mostDays} days`);

// Refusals of operator commands.

export const accountNotFound = (email: string) => notFound(`No account has the e-mail ${email}`);
export const addressNotSuppressed = (email: string) => notFound(`Mails to ${email} are not held back`);
export const workspaceNotFound = () => notFound('Workspace not found');
export const agentKeyNotFound = () => notFound('Agent key not found');
export const keyInUse = () => conflict('This key is already in use');
export const customerNotFound = () => notFound('Customer not found');
export const customerOfKeyNotFound = () =>
  notFound('Customer not found. No customer of this program has this key; one who had it may be erased already.');
/** A request to erase a customer must repeat the click id. */
export const erasureUnconfirmed = () => badRequest('confirm must be the click id');
export const restoreIsNotOver = () => badRequest('The time of a restore (--to) must be in the past');
export const formerTableIsAnother = () =>
  badRequest(
    'The former table (--former-table) has no ids. Name the table from before the restore, in the same region',
  );
export const formerTableIsChecked = () =>
  badRequest('The former table (--former-table) is the one to check. Name the restored table in TABLE_NAME');
export const saleToRepairNotFound = () => notFound('Sale not found');

// Refusals about mails.

export const refusalLinkUnknown = () => notFound('This link is not valid');

// Refusals about programs, partners and links.

export const programNotFound = () => notFound('Program not found');
export const partnerNotFound = () => notFound('Partner not found');
export const logoNotFound = () => notFound('Logo not found');
export const logoInvalid = () =>
  badRequest('logo must be a PNG, JPEG or WebP image of at most 200 KB and 4096 pixels a side');
export const DESTINATION_INVALID = 'destination_url must be an absolute http or https URL';
export const destinationInvalid = () => badRequest(DESTINATION_INVALID);
export const shortLinkNotFound = () => notFound('Link not found');
export const programPaused = () => conflict('Program is paused');
export const partnerAlreadyInProgram = () => conflict('This partner is already in the program');
export const partnerEmailTaken = () => conflict('This e-mail address belongs to another partner');
export const partnerInTooManyPrograms = (most: number) =>
  conflict(`Name and e-mail address of a partner of more than ${most} programs cannot be changed`);
export const partnerRemoved = () => conflict('Partner is removed from the program');
export const noRelationWithPartner = () => conflict('No partner-program relationship found for this partner');
export const groupNotFound = () => notFound('Group not found');
export const groupNameTaken = () => conflict('A group of this name exists');
export const groupsFull = (most: number) => conflict(`A program has at most ${most} groups`);
export const leadCommissionsNeedServer = () => badRequest('lead commissions require lead_auth server_required');
export const personalTermsFull = (most: number) =>
  conflict(`A program has at most ${most} partners with personal terms. Put partners into groups instead.`);
export const partnersFull = (most: number) => conflict(`A program has at most ${most} partners`);
export const linksFull = (most: number) => conflict(`A program has at most ${most} links`);
export const partnersLinksFull = () => conflict('This partner has too many links. Use those that exist');
export const shortLinkTaken = () => conflict('short_link is already taken');

export const partnerStatusRefused = (to: string, status: string) =>
  conflict(`Partner status cannot be changed to ${to}. Current status: ${status}`);
export const partnerNotJoined = () => conflict('Partner has not joined the program');

// Refusals of the partner portal.

export const JOIN_MESSAGE_INVALID = 'message must be a string of at most 2000 characters';
export const WEBSITE_INVALID = 'website must be an http or https address';
export const termsOutdated = () => conflict('These are not the current terms');
export const noApplications = () => conflict('This program takes no applications');
export const mayApplyLater = (day: string) => conflict(`You can apply again on ${day}`);
export const invitationExpired = () => conflict('This invitation has expired');
export const ownLinksFull = (most: number) => conflict(`You can make at most ${most} links in this program`);
export const linkSwitchedOff = () => conflict('This link was switched off by the program');
export const destinationElsewhere = () => badRequest("destination_url must be on the program's own site");
export const viewIsReadOnly = () => new Refusal('forbidden', 'You look at this page as a partner: it is read only');
export const signInToBePaid = () => new Refusal('forbidden', 'Sign in again to change payout details');
export const partnerHasLeft = () => conflict('You have left this program');
export const removedByBrand = () =>
  conflict('The program has removed you: nothing is shared through it unless you accept to be its partner again');
export const confirmationWrong = () => badRequest('confirm must be the address of the account');
export const notYetPartner = () => conflict('You are not a partner of this program yet');
export const termsNotAccepted = () => conflict('Accept the terms of this program first');

// Refusals about coupon codes.

export const codeNotFound = () => notFound('Code not found');
export const INVITATIONS_INVALID = 'invitations must be a list of 1 to 200 invitations';
export const PREVIEW_INVALID = 'preview must be a boolean';
export const invitationNotTried = () => conflict('There was no time for this invitation. Send it again.');
export const addressListedTwice = () => conflict('This address is in the list twice');
export const codeTaken = () => conflict('This code is already in use');
export const processorCodeTaken = () => conflict('This processor code is already in use');

// Refusals about sales, commissions and payouts.

export const saleNotFound = () => notFound('Sale not found for transaction_id');
export const commissionNotFound = () => notFound('Commission not found');
export const commissionStatusRefused = (to: string, status: string) =>
  conflict(`Commission status cannot be changed to ${to}. Current status: ${status}`);
export const saleFullyRefunded = () => conflict('The sale of this commission was refunded in full');
export const externalIdTaken = (commissionId: number) =>
  conflict(`external_id is already used by commission ${commissionId}`);
export const COMMISSION_IDS_INVALID = 'ids must be a list of 1 to 100 commission ids';
export const BATCH_INVALID = 'batch must be 8 to 64 letters, digits, - or _';
export const reasonMissing = () => badRequest('reason is required');
export const nothingToPayOut = () => conflict('No approved commissions to pay out');
export const dueHasChanged = () => conflict('What is due is no longer what was expected. Preview the payout again.');
export const EXPECTED_TOTALS_INVALID = 'expected_totals must be amounts by currency, such as {"USD":980}';
export const PAYOUTS_FROZEN_INVALID = 'payouts_frozen must be a boolean';
export const sandboxPaysNothing = () => conflict('A sandbox program pays nothing out');
export const payoutsFrozen = () => conflict('Payouts of this workspace are frozen');
export const frozenByOperator = () => conflict('Payouts of this workspace were frozen by the operator');
export const payoutUnderWay = (payoutId: number) =>
  conflict(`Payout ${payoutId} is being recorded. Wait until it is made.`);
export const paymentNotFound = () => notFound('Payment not found');
export const payoutNotFound = () => notFound('Payout not found');
export const payoutLineNotFound = () => notFound('Payout line not found');
export const lineStatusRefused = (to: string, from: string) =>
  conflict(`Payout line status cannot be changed to ${to}. Current status: ${from}`);
export const statementNotFound = () => notFound('Statement not found');
export const payerIncomplete = () => conflict("Set the payer's name and IBAN first");
export const fileTooLarge = () => conflict('This file is too large for one reply. Choose a currency or a status.');
export const noLineFits = () => conflict('No payout line fits this file');
export const FILE_CURRENCY_MISSING = 'currency is required: this file holds one currency';
export const partInvalid = (parts: string | number) => badRequest(`part must be an integer from 1 to ${parts}`);
export const LINE_IDS_INVALID = 'ids must be a list of 1 to 100 line ids';
export const oneChoiceOfPartners = () => badRequest('Send only one of partner_id, partner_ids and except_partner_ids');
export const chosenPartnersInvalid = (field: string) => badRequest(`${field} must be a list of 1 to 10000 partner ids`);
export const ONLY_WITH_DETAILS_INVALID = 'only_with_details must be a boolean';
export const PAYOUT_REFERENCE_INVALID = 'reference must be a string of 1 to 200 characters';

// Refusals about webhooks.

export const webhookUrlInvalid = () =>
  badRequest('url must be an https address of a public host, on port 443 or above 1023, without user and password');
export const webhookNotFound = () => notFound('Webhook endpoint not found');
export const webhooksFull = (most: number) => conflict(`A program has at most ${most} webhook endpoints`);
export const webhookDisabled = () => conflict('Webhook endpoint is disabled. Set it active first.');
export const deliveryNotFound = () => notFound('Delivery not found');
export const eventForgotten = (days: number) => notFound(`Event not found. Events are kept for ${days} days.`);
export const replayUnderWay = () => conflict('A replay is under way');
export const tooManyToReplay = () => badRequest('There are too many events in this range. Shorten it.');

// Refusals about the card processor.

export const eventIncomplete = () =>
  badRequest('Body must be a whole Stripe event with id, type, created and data.object');
export const signatureInvalid = () => badRequest('Invalid signature');
export const signingSecretInvalid = () => badRequest('signing_secret must start with whsec_');
export const connectNotConfigured = () =>
  conflict('Stripe Connect is not configured on this installation. Use a direct endpoint instead.');

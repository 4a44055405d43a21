import { maskedIban, maskedNumber } from '#lib/service/ground/parties/bank-account.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';

export const payoutMethods = ['bank', 'paypal', 'wise', 'other'] as const;
type PayoutMethod = (typeof payoutMethods)[number];

interface ToAddress {
  readonly method: 'paypal' | 'wise';
  readonly email: string;
}

interface ToIban {
  readonly method: 'bank' | 'wise';
  readonly account_holder: string;
  readonly iban: string;
  readonly bic?: string;
}

interface ToAccountNumber {
  readonly method: 'bank';
  readonly account_holder: string;
  readonly account_number: string;
  /** The routing number, sort code or branch code. */
  readonly routing_number: string;
  /** The country as an ISO 3166-1 alpha-2 code. */
  readonly country: string;
  readonly bic?: string;
}

interface ToOther {
  readonly method: 'other';
  readonly instructions: string;
}

/** A person's payout details, as they were sent. They are stored encrypted only. */
export type PayoutDetails = ToAddress | ToIban | ToAccountNumber | ToOther;

/** The part of the details that may be shown. Times are ISO 8601. */
export interface ShownPayoutDetails {
  readonly method: PayoutMethod;
  readonly masked: string;
  readonly updatedAt: string;
  /**
   * Until this time, payouts leave this person out, and no one can see the full details. Absent if the details were
   * never changed.
   */
  readonly heldUntil?: string;
}

export interface SealedPayoutDetails extends ShownPayoutDetails {
  readonly sealed: string;
  /** HMAC of the account number; absent for free text. Each workspace stores a different HMAC of the number. */
  readonly accountHash?: string;
}

/**
 * What remains of payout details after their deletion. Details that are set later count as a change: a deletion must
 * not bypass the hold of a change.
 */
export interface DeletedPayoutDetails extends Pick<ShownPayoutDetails, 'heldUntil'> {
  readonly deletedAt: string;
  readonly sealed?: undefined;
}

/** How long payouts are on hold after a change of details, so that a person whose session was stolen can act. */
const HOLD_MS = DAY_MS;
/**
 * How long payouts are on hold after the brand changed a partner's address. It is longer, because the former owner of
 * the address may not read mails every day.
 */
const ADDRESS_HOLD_MS = 3 * DAY_MS;
/** How long after a sign-in the details may be changed. */
export const DETAILS_SIGN_IN_MS = 10 * 60_000;

export const holdUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + HOLD_MS);

export const addressHoldUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + ADDRESS_HOLD_MS);

/** Until when payouts leave a partner out, for each of two reasons. */
export interface HoldTimes {
  /** Set by a change of the details. */
  readonly heldUntil?: string;
  /** Set by a change of the partner's address. */
  readonly addressHeldUntil?: string;
}

/** The end of the later one of the two holds; undefined if there was none. */
export const heldUntilOf = ({ heldUntil, addressHeldUntil }: HoldTimes): string | undefined =>
  [heldUntil, addressHeldUntil]
    .filter((end) => end !== undefined)
    .toSorted()
    .at(-1);
/** The encrypted details within an item. */
export const sealedDetails = ({
  method,
  masked,
  sealed,
  updatedAt,
  heldUntil,
}: SealedPayoutDetails): SealedPayoutDetails => ({
  method,
  masked,
  sealed,
  updatedAt,
  heldUntil,
});

export const isHeld = ({ heldUntil }: Pick<ShownPayoutDetails, 'heldUntil'>, now: Date): boolean =>
  heldUntil !== undefined && Date.parse(heldUntil) > now.getTime();

/** The full payout details as text for the paying brand, on one line unless the person wrote several. */
export function payoutDetailsText(details: PayoutDetails): string {
  if (details.method === 'other') return details.instructions;
  if ('email' in details) return details.email;
  const bic = details.bic === undefined ? '' : `, BIC ${details.bic}`;
  if ('iban' in details) return `${details.account_holder}, IBAN ${details.iban}${bic}`;
  const { account_holder: holder, account_number: account, routing_number: routing, country } = details;
  return `${holder}, account ${account}, routing number ${routing}, ${country}${bic}`;
}

/** The masked details, from which a person can still recognize their own. */
export function maskedPayoutDetails(details: PayoutDetails): string {
  if (details.method === 'other') return '****';
  if ('email' in details) {
    const [first = ''] = details.email;
    return `${first}***${details.email.slice(details.email.lastIndexOf('@'))}`;
  }
  return 'iban' in details ? maskedIban(details.iban) : maskedNumber(details.account_number);
}

const withoutSeparators = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** The account number in one canonical spelling, to find other partners paid to it; undefined for free text. */
export function accountOf(details: PayoutDetails): string | undefined {
  if (details.method === 'other') return undefined;
  if ('email' in details) return `${details.method} ${mailboxOf(details.email)}`;
  if ('iban' in details) return accountOfIban(details.iban);
  const [routing, account] = [details.routing_number, details.account_number].map(withoutSeparators) as [
    string,
    string,
  ];
  return BRITISH.has(details.country)
    ? britishAccount(routing, account)
    : `account ${details.country} ${routing} ${account}`;
}

/** Countries whose banks share sort codes and the IBANs of `GB`. */
const BRITISH: ReadonlySet<string> = new Set(['GB', 'GG', 'IM', 'JE']);

/** An IBAN pads short account numbers with leading zeros. */
const britishAccount = (sortCode: string, account: string): string =>
  `account GB ${sortCode} ${account.padStart(8, '0')}`;

/** A British IBAN is country, check digits, bank, sort code and account number. */
const accountOfIban = (iban: string): string =>
  iban.startsWith('GB') ? britishAccount(iban.slice(8, 14), iban.slice(14)) : `iban ${iban}`;

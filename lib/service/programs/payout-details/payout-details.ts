import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';

export const payoutMethods = ['bank', 'paypal', 'wise', 'other'] as const;
type PayoutMethod = (typeof payoutMethods)[number];

interface ToAddress {
  readonly method: 'paypal' | 'wise';
  readonly email: string;
}

interface ToIban {
  readonly method: 'bank';
  readonly account_holder: string;
  readonly iban: string;
}

interface ToAccountNumber {
  readonly method: 'bank';
  readonly account_holder: string;
  readonly account_number: string;
  readonly routing_number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

interface ToOther {
  readonly method: 'other';
  readonly instructions: string;
}

/** Where a person's payouts go, as it was sent. It is stored sealed only. */
export type PayoutDetails = ToAddress | ToIban | ToAccountNumber | ToOther;

/** What may be shown of them. Times are ISO 8601. */
export interface ShownPayoutDetails {
  readonly method: PayoutMethod;
  readonly masked: string;
  readonly updatedAt: string;
  /** Until then payouts leave this person out, and nobody sees the whole details. Absent: they were never changed. */
  readonly heldUntil?: string;
}

export interface SealedPayoutDetails extends ShownPayoutDetails {
  readonly sealed: string;
  /** HMAC of the account; absent for free text. Workspaces keep another HMAC of it, each its own. */
  readonly accountHash?: string;
}

/** Deleted ones. Who sets others later has changed them: a deletion is no way around the hold of a change. */
export interface DeletedPayoutDetails extends Pick<ShownPayoutDetails, 'heldUntil'> {
  readonly deletedAt: string;
  readonly sealed?: undefined;
}

/** How long a change keeps the money back, so that a person whose session was stolen can act. */
const HOLD_MS = DAY_MS;
/** The same after the brand has changed a partner's address: its former owner may not read mails every day. */
const ADDRESS_HOLD_MS = 3 * DAY_MS;
/** How long after a sign-in they may be changed. */
export const DETAILS_SIGN_IN_MS = 10 * 60_000;

export const holdUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + HOLD_MS);

export const addressHoldUntil = (changedAt: Date): Date => new Date(changedAt.getTime() + ADDRESS_HOLD_MS);

/** Why payouts leave a partner out: until when each of the two reasons holds them. */
export interface HoldTimes {
  /** The details were changed. */
  readonly heldUntil?: string;
  /** The address of the partner was changed. */
  readonly addressHeldUntil?: string;
}

/** Until when payouts leave a partner out, whatever the reason; undefined where they never did. */
export const heldUntilOf = ({ heldUntil, addressHeldUntil }: HoldTimes): string | undefined =>
  [heldUntil, addressHeldUntil]
    .filter((end) => end !== undefined)
    .toSorted()
    .at(-1);
/** Of an item, what is details. */
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

/** The details as the brand reads them to pay, on one line unless the person wrote several. */
export function payoutDetailsText(details: PayoutDetails): string {
  if (details.method === 'other') return details.instructions;
  if (details.method !== 'bank') return details.email;
  if ('iban' in details) return `${details.account_holder}, IBAN ${details.iban}`;
  const { account_holder: holder, account_number: account, routing_number: routing, country } = details;
  return `${holder}, account ${account}, routing number ${routing}, ${country}`;
}

/** As much as lets a person recognize them. */
export function maskedPayoutDetails(details: PayoutDetails): string {
  if (details.method === 'other') return '****';
  if (details.method !== 'bank') {
    const [first = ''] = details.email;
    return `${first}***${details.email.slice(details.email.lastIndexOf('@'))}`;
  }
  if ('iban' in details) return `${details.iban.slice(0, 2)}** **** ${details.iban.slice(-4)}`;
  const { account_number: account } = details;
  return `****${account.length > SHOWN * 2 ? account.slice(-SHOWN) : ''}`;
}

/** Of a shorter account number they would be most of it. */
const SHOWN = 4;

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** An IBAN without spaces; undefined for what is none by its check digits (ISO 7064). */
export function ibanOf(sent: string): string | undefined {
  const iban = sent.replaceAll(/\s/g, '').toUpperCase();
  if (!IBAN.test(iban)) return undefined;
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? iban : undefined;
}

const withoutSeparators = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** One spelling of the account that is paid, to find it again with another person; undefined for free text. */
export function accountOf(details: PayoutDetails): string | undefined {
  if (details.method === 'other') return undefined;
  if (details.method !== 'bank') return `${details.method} ${mailboxOf(details.email)}`;
  if ('iban' in details) return accountOfIban(details.iban);
  const [routing, account] = [details.routing_number, details.account_number].map(withoutSeparators) as [
    string,
    string,
  ];
  return BRITISH.has(details.country)
    ? britishAccount(routing, account)
    : `account ${details.country} ${routing} ${account}`;
}

/** Their banks share sort codes, and the IBANs of `GB`. */
const BRITISH: ReadonlySet<string> = new Set(['GB', 'GG', 'IM', 'JE']);

/** Short account numbers are written with zeros before them in an IBAN. */
const britishAccount = (sortCode: string, account: string): string =>
  `account GB ${sortCode} ${account.padStart(8, '0')}`;

/** A British IBAN is country, check digits, bank, sort code and account number. */
const accountOfIban = (iban: string): string =>
  iban.startsWith('GB') ? britishAccount(iban.slice(8, 14), iban.slice(14)) : `iban ${iban}`;

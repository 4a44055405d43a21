/** A partner who will be paid by a large payout. */
export interface Payee {
  readonly name: string;
  /** The partner's payout details; undefined if the partner has not entered any. */
  readonly details?: Readonly<Record<string, string>>;
  /** What the partner has earned, in cents by currency. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Whether the partner changes the details just before the payout, so that the partner's payouts are on hold. */
  readonly isHeld: boolean;
}

const PAYEES = 40;

/** This many of the partners, the last ones, have no payout details. */
const WITHOUT_DETAILS = 3;

/** Names that a spreadsheet would read as formulas, or that contain characters that banks do not accept. */
const hardNames = ['=HYPERLINK("https://evil.test","Refund")', '+49 Sales', '@ana', 'Zoë "Z", Weiß & Co'];

const nameOf = (n: number): string => hardNames[n] ?? `Partner ${String(n + 1).padStart(2, '0')}`;

/** Returns a valid German IBAN for each number. */
function ibanOf(n: number): string {
  const account = `370400440${String(532_013_000 + n)}`;
  // The check digits are computed from the account, followed by `DE00` in which letters are numbers: D is 13, E is 14.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const methods = [
  // Partners 8 and 12 have the same account.
  (n: number) => ({ method: 'bank', account_holder: nameOf(n), iban: ibanOf(n === 12 ? 8 : n) }),
  (n: number) => ({ method: 'paypal', email: `paypal${n}@money.test` }),
  (n: number) => ({ method: 'wise', email: `wise${n}@money.test` }),
  (n: number) => ({ method: 'other', instructions: `-Cash for ${nameOf(n)}` }),
] as const;

function payeeAt(n: number): Payee {
  const isLast = n >= PAYEES - WITHOUT_DETAILS;
  const [first, second] =
    Math.floor(n / methods.length) % 2 === 0 ? (['EUR', 'USD'] as const) : (['USD', 'EUR'] as const);
  return {
    name: nameOf(n),
    ...(!isLast && { details: methods[n % methods.length]!(n) }),
    amounts: { [first]: 10_000 + 37 * n, ...(n % 5 === 0 && { [second]: 5_000 + n }) },
    isHeld: n === PAYEES - WITHOUT_DETAILS - 1,
  };
}

/**
 * Partners for a payout in two currencies and with four payout methods. Three have no payout details, one has payouts
 * on hold, and two have the same account.
 */
export const payees: readonly Payee[] = Array.from({ length: PAYEES }, (_, n) => payeeAt(n));

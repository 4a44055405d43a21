/** A partner of a large payout, before it is recorded. */
export interface Payee {
  readonly name: string;
  /** Undefined for those who have not said where their money goes. */
  readonly details?: Readonly<Record<string, string>>;
  /** What they have earned, by currency. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Whether they change their details just before the payout. */
  readonly isHeld: boolean;
}

const PAYEES = 40;

/** The last of all have no payout details. */
const WITHOUT_DETAILS = 3;

/** Names that a spreadsheet would read as formulas, and that a bank cannot read as they are. */
const hardNames = ['=HYPERLINK("https://evil.test","Refund")', '+49 Sales', '@ana', 'Zoë "Z", Weiß & Co'];

const nameOf = (n: number): string => hardNames[n] ?? `Partner ${String(n + 1).padStart(2, '0')}`;

/** A German IBAN for each number. */
function ibanOf(n: number): string {
  const account = `370400440${String(532_013_000 + n)}`;
  // `DE00` behind the account, with letters as numbers from 10 on.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const methods = [
  // Two of them have the same account.
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
 * Partners for a payout in two currencies and four methods: three without payout details, one whose payouts are held, and
 * two with the same account.
 */
export const payees: readonly Payee[] = Array.from({ length: PAYEES }, (_, n) => payeeAt(n));

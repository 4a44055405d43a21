/**
 * One line of a posting in a double-entry book. Amounts are in the smallest unit of their currency. A debit is positive
 * and a credit negative; the lines of a posting sum to zero in each currency.
 */
interface Line {
  readonly account: string;
  readonly currency: string;
  readonly cents: number;
}

interface Posting {
  /** The day to which reports assign the posting, such as `2026-11-20`. */
  readonly on: string;
  readonly lines: readonly Line[];
}

/** All postings so far. */
export type Book = Posting[];

/** Posts an amount: debits one account and credits another. */
export function post(book: Book, on: string, debit: string, credit: string, currency: string, cents: number): void {
  if (cents === 0) return;
  book.push({
    on,
    lines: [
      { account: debit, currency, cents },
      { account: credit, currency, cents: -cents },
    ],
  });
}

/** Whether the lines of every posting sum to zero. */
export function isBalanced(book: Book): boolean {
  const sums = new Map<string, number>();
  for (const { lines } of book) {
    sums.clear();
    for (const { currency, cents } of lines) sums.set(currency, (sums.get(currency) ?? 0) + cents);
    if ([...sums.values()].some((sum) => sum !== 0)) return false;
  }
  return true;
}

/** The debits minus the credits of the accounts and days that match. */
export function balanceOf(
  book: Book,
  currency: string,
  isOf: (account: string) => boolean,
  isWithin: (on: string) => boolean = () => true,
): number {
  let sum = 0;
  for (const { on, lines } of book) {
    if (!isWithin(on)) continue;
    for (const line of lines) if (line.currency === currency && isOf(line.account)) sum += line.cents;
  }
  return sum;
}

export const inAccount = (book: Book, account: string, currency: string): number =>
  balanceOf(book, currency, (each) => each === account);

import { decimalsOf, type Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { isReadable, sepaName, startsFormula, withoutFormula } from '#lib/service/earnings/files/bank-text.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';

/** The formats of files for banks and payment services, in the order in which they are listed. */
export const bankFormats = ['paypal', 'wise', 'wise-iban', 'sepa'] as const;
export type BankFormat = (typeof bankFormats)[number];

/** Why a line is in no file, in the order of judging. */
export const noFileReasons = [
  'no_details',
  'held',
  'no_format',
  'not_euro',
  'not_sepa',
  'unsafe',
  'name',
  'too_large',
] as const;
export type NoFileReason = (typeof noFileReasons)[number];

/** Statuses of the lines that a file for a bank may hold. What ended is due again, so it would be paid twice. */
export const payableStatuses = ['recorded', 'sent', 'paid'] as const;

/** A line with the whole details to which it is paid. */
export interface PayableLine {
  readonly line: PayoutLine;
  /** Undefined if there are none, they are held, or the line was sent to others. */
  readonly details?: PayoutDetails;
  /** A change of the details or of the address is held. */
  readonly isHeld?: true;
  readonly holder: string;
}

/** How many lines fit into one file of the format. */
export const mostLines: Readonly<Record<BankFormat, number>> = {
  paypal: 5_000,
  wise: 1_000,
  'wise-iban': 1_000,
  sepa: 5_000,
};

/** The only file of a line, or why it is in none. */
export function fileOf({ line, details, isHeld, holder }: PayableLine): {
  readonly format?: BankFormat;
  readonly reason?: NoFileReason;
} {
  if (isHeld) return { reason: 'held' };
  if (!details) return { reason: 'no_details' };
  const format = formatOf(details);
  if (!format) return { reason: 'no_format' };
  if (format === 'sepa' && line.currency !== 'EUR') return { reason: 'not_euro' };
  if (format === 'sepa' && 'iban' in details && !SEPA.has(details.iban.slice(0, 2))) return { reason: 'not_sepa' };
  if ('email' in details && startsFormula(details.email)) return { reason: 'unsafe' };
  if (format !== 'paypal' && !isReadable(nameIn(format, holder))) return { reason: 'name' };
  if (isTooLarge(line)) return { reason: 'too_large' };
  return { format };
}

function formatOf(details: PayoutDetails): BankFormat | undefined {
  if (details.method === 'paypal') return 'paypal';
  if (details.method === 'wise') return 'email' in details ? 'wise' : 'wise-iban';
  return 'iban' in details ? 'sepa' : undefined;
}

/** A holder's name as a file of the format has it. */
const nameIn = (format: BankFormat, name: string): string =>
  format === 'sepa' ? sepaName(name) : withoutFormula(name);

const isTooLarge = ({ amountCents, currency }: PayoutLine): boolean =>
  BigInt(amountCents) * 100n > 99_999_999_999n * 10n ** BigInt(decimalsOf(currency));

/** Countries and territories of the single euro payments area, by the first letters of their IBANs. */
const SEPA: ReadonlySet<string> = new Set(
  (
    'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS ' +
    'SE SI SK SM VA'
  ).split(' '),
);

/** A file that lines fit. */
export interface BankFile {
  readonly format: BankFormat;
  readonly currency: Currency;
  readonly lines: number;
  readonly amountCents: number;
  readonly parts: number;
}

/** The files of some lines, by format and currency, and the lines that are in none. */
export function filesOf(payable: readonly PayableLine[]) {
  const judged = payable.map((one) => ({ line: one.line, ...fileOf(one) }));
  const files = bankFormats.flatMap((format) => {
    const fitting = judged.filter((one) => one.format === format).map(({ line }) => line);
    const byCurrency = Map.groupBy(fitting, ({ currency }) => currency);
    return [...byCurrency.keys()].toSorted().map((currency): BankFile => {
      const lines = byCurrency.get(currency)!;
      const amountCents = sumOf(lines.map((line) => line.amountCents));
      return { format, currency, lines: lines.length, amountCents, parts: Math.ceil(lines.length / mostLines[format]) };
    });
  });
  return { files, withoutFile: judged.flatMap(({ line, reason }) => (reason ? [{ line, reason }] : [])) };
}

import { decimalsOf, type Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { isReadable, sepaName, startsFormula, withoutFormula } from '#lib/service/earnings/files/bank-text.ts';
import type { PaidTo, PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';

/** The formats of files for banks and payment services, in the order in which they are listed. */
export const bankFormats = ['paypal', 'wise', 'wise-iban', 'sepa'] as const;
export type BankFormat = (typeof bankFormats)[number];

/** Why a payout line is in no file. The reasons are checked in this order. */
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

/**
 * Statuses of the lines that a bank file may contain. A line that failed or is void must not be in a file: its amounts
 * are due again in the next payout and would be paid twice.
 */
export const payableStatuses = ['recorded', 'sent', 'paid'] as const;

/** A payout line with the unmasked payout details of its partner. */
export interface PayableLine {
  readonly line: PayoutLine;
  /** The details to pay to. Undefined if there are none, they are on hold, or the line was sent to other details. */
  readonly details?: PayoutDetails;
  /** Whether payouts are held because of a change of the details or of the e-mail address. */
  readonly isHeld?: true;
  readonly holder: string;
}

/** Maximum number of lines in one file of the format. */
const mostLines: Readonly<Record<BankFormat, number>> = {
  paypal: 5_000,
  wise: 1_000,
  'wise-iban': 1_000,
  sepa: 5_000,
};

/** The format of the only bank file that can contain a line, or why no file can. */
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

/** An account holder's name in the form that the format allows. */
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

/** A bank file that contains some of the lines. */
export interface BankFile {
  readonly format: BankFormat;
  readonly currency: Currency;
  readonly lines: number;
  readonly amountCents: number;
  readonly parts: number;
  /** The partner with whose line each part begins. Lines are in order of partners. Undefined if there is one part. */
  readonly firstPartnerIds?: readonly number[];
}

/** A line of a payout with the destination of its money, if that is known. */
interface DirectedLine {
  readonly line: PayoutLine;
  readonly destination?: Pick<PaidTo, 'method' | 'masked'>;
}

/** The only bank format that may suit a line with this destination. */
export function formatTo({ destination }: Pick<DirectedLine, 'destination'>): BankFormat | undefined {
  if (destination?.method === 'paypal') return 'paypal';
  if (destination?.method === 'wise') return destination.masked.includes('@') ? 'wise' : 'wise-iban';
  return destination?.method === 'bank' ? 'sepa' : undefined;
}

/**
 * Divides all lines of a payout in one currency, in their order, among the files of a format. A line stays in the same
 * part even if other lines change their status. Otherwise, of two parts downloaded one after the other, both could
 * contain the line, and it would be paid twice. There is only one part if all lines for the format fit into one file.
 */
export function partsOf<Line extends DirectedLine>(
  format: BankFormat,
  inCurrency: readonly Line[],
  most = mostLines[format],
): readonly (readonly Line[])[] {
  if (inCurrency.filter((one) => formatTo(one) === format).length <= most) return [inCurrency];
  return Array.from({ length: Math.ceil(inCurrency.length / most) }, (_, n) =>
    inCurrency.slice(n * most, (n + 1) * most),
  );
}

/**
 * The files for these lines, by format and currency, and the lines that no file contains.
 * @param all the lines of the whole payout, which determine the parts
 */
export function filesOf(payable: readonly PayableLine[], all: readonly DirectedLine[]) {
  const judged = payable.map((one) => ({ line: one.line, ...fileOf(one) }));
  const allByCurrency = Map.groupBy(all, ({ line }) => line.currency);
  const files = bankFormats.flatMap((format) => {
    const fitting = judged.filter((one) => one.format === format).map(({ line }) => line);
    const byCurrency = Map.groupBy(fitting, ({ currency }) => currency);
    return [...byCurrency.keys()].toSorted().map((currency): BankFile => {
      const lines = byCurrency.get(currency)!;
      const amountCents = sumOf(lines.map((line) => line.amountCents));
      const parts = partsOf(format, allByCurrency.get(currency)!);
      const file = { format, currency, lines: lines.length, amountCents, parts: parts.length };
      return parts.length === 1 ? file : { ...file, firstPartnerIds: parts.map(([first]) => first!.line.partnerId) };
    });
  });
  return { files, withoutFile: judged.flatMap(({ line, reason }) => (reason ? [{ line, reason }] : [])) };
}

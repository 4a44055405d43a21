import { decimalText } from '#lib/service/ground/values/money.ts';
import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { BankFormat } from '#lib/service/earnings/files/bank-file.ts';
import { withoutFormula } from '#lib/service/earnings/files/bank-text.ts';
import type { BankFilePart } from '#lib/service/earnings/files/export-payout.ts';
import type { LineToPay } from '#lib/service/earnings/files/lines-to-pay.ts';
import { lineNumberOf } from '#lib/service/earnings/lines/payout-line.ts';
import { plainLine } from '#lib/service/http/messages/csv.ts';

type Cells = (row: LineToPay, program: Pick<Program, 'name'>) => readonly string[];

const amountOf = ({ line }: LineToPay): string => decimalText(line.amountCents, line.currency);

const field = (details: PayoutDetails | undefined, name: 'email' | 'iban' | 'bic'): string =>
  (details as Readonly<Partial<Record<string, string>>> | undefined)?.[name] ?? '';

/** The text by which a payment's recipient recognizes the payout. */
export const remittanceOf = (program: Pick<Program, 'name'>, payoutId: number): string =>
  `${program.name}: payout ${payoutId}`;

const paypal: Cells = (row, program) => [
  field(row.details, 'email'),
  amountOf(row),
  row.line.currency,
  lineNumberOf(row.line),
  withoutFormula(remittanceOf(program, row.line.payoutId)),
  'PAYPAL',
];

const wise: Cells = (row) => [
  withoutFormula(row.holder),
  field(row.details, 'email'),
  `Payout ${row.line.payoutId}`,
  'PERSON',
  'target',
  amountOf(row),
  row.line.currency,
  row.line.currency,
];

const wiseIban: Cells = (row, program) => [
  ...wise(row, program),
  field(row.details, 'iban'),
  field(row.details, 'bic'),
];

const wiseColumns = [
  'name',
  'recipientEmail',
  'paymentReference',
  'receiverType',
  'amountCurrency',
  'amount',
  'sourceCurrency',
  'targetCurrency',
];

const formats: Readonly<Record<Exclude<BankFormat, 'sepa'>, { readonly header?: string[]; readonly cells: Cells }>> = {
  paypal: { cells: paypal },
  wise: { header: wiseColumns, cells: wise },
  'wise-iban': { header: [...wiseColumns, 'IBAN', 'BIC'], cells: wiseIban },
};

/** A file with payments in the format that this payment service imports. */
export function bankCsv(format: keyof typeof formats, { lines }: BankFilePart, program: Pick<Program, 'name'>): string {
  const { header, cells } = formats[format];
  return [...(header ? [header] : []), ...lines.map((line) => cells(line, program))].map(plainLine).join('');
}

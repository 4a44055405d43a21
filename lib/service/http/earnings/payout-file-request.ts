import type { Currencies } from '#lib/service/ground/values/currency.ts';
import { type BankFormat, bankFormats, payableStatuses } from '#lib/service/earnings/files/bank-file.ts';
import type { FileChoice } from '#lib/service/earnings/files/export-payout.ts';
import { lineStatuses } from '#lib/service/earnings/lines/payout-line.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { chosenQuery } from '#lib/service/http/messages/query.ts';

export type FileFormat = 'csv' | BankFormat;

const endings: Readonly<Record<FileFormat, string>> = {
  ...(Object.fromEntries(bankFormats.map((format) => [format, `.${format}.csv`])) as Record<BankFormat, string>),
  sepa: '.sepa.xml',
  csv: '.csv',
};

/** The payout's id and the format of its file, both from the path. */
export function payoutFile(name: string): { readonly id: string; readonly format?: FileFormat } {
  const format = [...bankFormats, 'csv' as const].find((one) => name.endsWith(endings[one]));
  return format ? { id: name.slice(0, -endings[format].length), format } : { id: name };
}

/**
 * Selects the lines of a payout's file.
 * @param format the bank format; undefined for the file with all lines
 * @throws Refusal
 */
export function fileChoice(
  sent: RequestInput,
  format: FileFormat | undefined,
  currencies: Currencies,
): FileChoice & { readonly part?: string } {
  if (format === undefined) return {};
  return {
    status: chosenQuery(sent, 'status', format === 'csv' ? lineStatuses : payableStatuses),
    currency: chosenQuery(sent, 'currency', format === 'sepa' ? ['EUR'] : currencies),
    part: sent.query['part'],
  };
}

/** The status of the lines that a file must contain. @throws Refusal */
export const payableStatus = (sent: RequestInput) => chosenQuery(sent, 'status', payableStatuses);

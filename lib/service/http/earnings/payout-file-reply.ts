import { type BankFormat, type filesOf } from '#lib/service/earnings/files/bank-file.ts';
import type { BankFilePart } from '#lib/service/earnings/files/export-payout.ts';
import { lineIdOf } from '#lib/service/earnings/lines/payout-line.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { bankCsv } from '#lib/service/http/earnings/bank-csv.ts';
import { sepaXml } from '#lib/service/http/earnings/sepa-xml.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import type * as wire from '#lib/wire/earnings/payout-files.ts';

/** How many of the lines that no file can contain are shown. */
const MOST_WITHOUT_FILE = 100;

export const payoutFilesReply = ({ files, withoutFile }: ReturnType<typeof filesOf>): wire.PayoutFiles => ({
  files: files.map(({ format, currency, lines, amountCents, parts, firstPartnerIds }) => ({
    format,
    currency,
    lines,
    amount_cents: amountCents,
    parts,
    ...(firstPartnerIds && { first_partner_ids: [...firstPartnerIds] }),
  })),
  without_file: withoutFile.slice(0, MOST_WITHOUT_FILE).map(({ line, reason }) => ({ id: lineIdOf(line), reason })),
});

/** A file for a bank, or a part of it. */
export function bankFileReply(
  format: BankFormat,
  file: BankFilePart,
  program: Pick<Program, 'name'>,
  { now, query }: { readonly now: Date; readonly query: Readonly<Record<string, string | undefined>> },
): TextFile {
  const { currency, part, payer, lines } = file;
  const behind = part === 1 ? '' : `-${part}`;
  const name = `payout-${lines[0]!.line.payoutId}-${format}-${currency}${behind}`;
  if (format === 'sepa') {
    return new TextFile(`${name}.xml`, 'application/xml; charset=utf-8', sepaXml(file, payer!, program, now));
  }
  return new TextFile(`${name}.csv`, 'text/csv; charset=utf-8', markedText(query, bankCsv(format, file, program)));
}

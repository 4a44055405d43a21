import { dayOf } from '#lib/service/ground/values/day.ts';
import { exportAddress } from '#lib/service/ground/effects/exports.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type Party, withMaskedTaxId } from '#lib/service/ground/parties/party.ts';
import { lineNumberOf, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { Exported } from '#lib/service/reports/exports/export-rows.ts';
import type { Statement, StatementItem } from '#lib/service/reports/statements/statement.ts';
import { Redirect, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { amountCell, type Columns, csvOf, markedText } from '#lib/service/http/messages/csv.ts';
import type * as wire from '#lib/wire/reports/statement.ts';

type Query = Readonly<Record<string, string | undefined>>;

const FILE = /\.csv$/;

/** Reads from the path the number of a statement, and whether the request is for its file. */
export const statementNamed = (name = '') => ({ number: name.replace(FILE, ''), isFile: FILE.test(name) });

/**
 * The file of all items of a statement, or a redirect: to the finished file, or to the request that adds its next part.
 * @param path the path of the statements' routes
 */
export function statementFile(
  deps: Pick<Deps, 'config'>,
  line: PayoutLine,
  exported: Exported,
  { path, query: { as } }: { readonly path: string; readonly query: Query },
): TextFile | Redirect {
  const name = `${lineNumberOf(line)}.csv`;
  if ('text' in exported) return new TextFile(`statement-${name}`, 'text/csv; charset=utf-8', exported.text);
  if ('file' in exported) return new Redirect(exportAddress(deps, exported.file));
  const next = new URLSearchParams({ cursor: exported.cursor, ...(as !== undefined && { as }) });
  return new Redirect(`${path}/${name}?${next.toString()}`);
}

/** The reply with a statement. @param isMasked set if the reader may not see whole tax ids */
export const statementReply = (statement: Statement, isMasked: boolean): wire.Statement => {
  const { line, program, payer, payee, paidTo, note, itemsTotal, items } = statement;
  const partyReply = (party: Party) => {
    const { name, address, country, taxId } = isMasked ? withMaskedTaxId(party) : party;
    return { name: name ?? null, address: address ?? null, country: country ?? null, tax_id: taxId ?? null };
  };
  return {
    number: lineNumberOf(line),
    status: line.status,
    reason: line.reason ?? null,
    program: { id: program.id, name: program.name },
    payer: partyReply(payer),
    payee: partyReply(payee),
    paid_to: paidTo ? { method: paidTo.method, masked: paidTo.masked } : null,
    reference: line.reference ?? null,
    currency: line.currency,
    issued_on: dayIn(line.createdAt),
    sent_on: line.sentAt === undefined ? null : dayIn(line.sentAt),
    paid_on: line.paidAt === undefined ? null : dayIn(line.paidAt),
    ended_on: line.endedAt === undefined ? null : dayIn(line.endedAt),
    total_cents: line.amountCents,
    note: note === undefined || note === '' ? null : note,
    items_total: itemsTotal,
    items: items.map((item) => ({
      commission_id: item.commissionId,
      kind: item.kind,
      occurred_at: item.occurredAt,
      text: item.text,
      amount_cents: item.amountCents,
    })),
  };
};

const dayIn = (time: string) => dayOf(new Date(time));

const columns: Columns<{ readonly line: PayoutLine; readonly item: StatementItem }> = {
  number: ({ line }) => lineNumberOf(line),
  commission_id: ({ item }) => item.commissionId,
  kind: ({ item }) => item.kind,
  occurred_at: ({ item }) => item.occurredAt,
  text: ({ item }) => item.text,
  currency: ({ line }) => line.currency,
  amount: ({ line, item }) => amountCell(item.amountCents, line.currency),
};

const csv = csvOf(columns);

export const statementCsv = (line: PayoutLine, query: Query) => ({
  header: markedText(query, csv.header),
  lines: (items: readonly StatementItem[]): string => csv.lines(items.map((item) => ({ line, item }))),
});

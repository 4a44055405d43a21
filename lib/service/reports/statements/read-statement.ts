import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { openedPayee, partiesOf } from '#lib/service/earnings/lines/read-parties.ts';
import { lineNamed, lineNumberOf, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { findStoredLine } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { findLine, lineToPartner } from '#lib/service/earnings/lines/read-lines.ts';
import { commissionsOfLine } from '#lib/service/earnings/lines/return-line.ts';
import { findPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { ExportFiles } from '#lib/service/ground/values/export-files.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { statementNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { exportBounds, type Exported, exportRows } from '#lib/service/reports/exports/export-rows.ts';
import { type Statement, type StatementItem, statementItem } from '#lib/service/reports/statements/statement.ts';

/** How many items a statement shows. The file of the statement contains all. */
const MOST_ITEMS = 1_000;

const NUMBER = /^([1-9]\d*)-(.+)$/;

/**
 * The payout line that a statement is about.
 * @param partnerId if set, the line must be this partner's
 * @throws Refusal if the program, or this partner, has no such line
 */
export async function lineOfStatement(
  deps: Pick<Deps, 'table'>,
  program: Pick<Program, 'id'>,
  number: string,
  partnerId?: number,
): Promise<PayoutLine> {
  const [, payoutName, lineId = ''] = NUMBER.exec(number) ?? [];
  const payoutId = numericIdOf(payoutName);
  if (payoutId === undefined) throw statementNotFound();
  const name = lineNamed(lineId);
  // The line is read ahead, together with its payout.
  const [payout] = await Promise.all([
    findPayout(deps.table, payoutId),
    name && findStoredLine(deps.table, { ...name, payoutId }),
  ]);
  const found = payout?.programId === program.id ? await findLine(deps, payout, lineId) : undefined;
  if (!found || (partnerId !== undefined && found.line.partnerId !== partnerId)) throw statementNotFound();
  return { ...found.line, reference: found.line.reference ?? payout?.reference };
}

/**
 * The statement of a payout line. While the line is `recorded`, it shows the present names and addresses; from `sent`
 * on, those at that time.
 */
export async function readStatement(deps: Deps, program: Program, line: PayoutLine): Promise<Statement> {
  const [parties, { paidTo }, ids] = await Promise.all([
    partiesOf(deps, program, line),
    lineToPartner(deps, program, line),
    itemIds(deps, line),
  ]);
  const [payee, items] = await Promise.all([
    openedPayee(deps, parties.payee),
    itemsOf(deps, line, ids.slice(0, MOST_ITEMS)),
  ]);
  const { payer, note } = parties;
  return { line, program, payer, payee, paidTo, note, itemsTotal: ids.length, items };
}

/** All items of a statement, as a file of any size. @throws Refusal for a cursor of another export */
export async function exportStatement(
  deps: Deps,
  line: PayoutLine,
  {
    spelling,
    ...request
  }: {
    readonly files: ExportFiles;
    readonly spelling: { readonly header: string; readonly lines: (rows: readonly StatementItem[]) => string };
    readonly cursor?: string;
  },
  bounds = exportBounds,
): Promise<Exported> {
  const ids = await itemIds(deps, line);
  const number = lineNumberOf(line);
  return exportRows(
    deps,
    {
      list: ['statement', number],
      savedAs: `statement-${number}.csv`,
      header: spelling.header,
      async lines({ most, after }) {
        const left = after === undefined ? ids : ids.filter((id) => id > Number(after));
        const some = left.slice(0, most);
        const text = spelling.lines(await itemsOf(deps, line, some));
        return { text, next: left.length > most ? String(some.at(-1)) : undefined };
      },
    },
    request,
    bounds,
  );
}

const itemIds = async (deps: Pick<Deps, 'table'>, line: PayoutLine): Promise<readonly number[]> =>
  (await commissionsOfLine(deps, line)).toSorted((a, b) => a - b);

async function itemsOf({ table }: Pick<Deps, 'table'>, { payoutId }: PayoutLine, ids: readonly number[]) {
  const found = await Promise.all(ids.map((id) => findCommissionById(table, id)));
  return found.flatMap((commission) => (commission ? [statementItem(commission, payoutId)] : []));
}

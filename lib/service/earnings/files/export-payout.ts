import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { MOST_REPLY_BYTES } from '#lib/service/ground/values/export-files.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import {
  badRequest,
  FILE_CURRENCY_MISSING,
  fileTooLarge,
  noLineFits,
  partInvalid,
  payerIncomplete,
  payoutUnderWay,
} from '#lib/service/ground/values/refusals.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { type PayerAccount, payerAccountOf } from '#lib/service/people/workspaces/read-payer.ts';
import { payoutsFlowCheck } from '#lib/service/people/workspaces/workspaces-items.ts';
import type { LastPaid } from '#lib/service/earnings/last-payouts/last-payments.ts';
import { isNewSinceLastPayout } from '#lib/service/earnings/last-payouts/is-new-since-last-payout.ts';
import {
  type BankFormat,
  fileOf,
  filesOf,
  formatTo,
  partsOf,
  payableStatuses,
} from '#lib/service/earnings/files/bank-file.ts';
import { isReadable, sepaName } from '#lib/service/earnings/files/bank-text.ts';
import { downloadMails } from '#lib/service/earnings/files/download-mails.ts';
import {
  inBatches,
  type KnownLine,
  knownLines,
  type LineToPay,
  openedLines,
} from '#lib/service/earnings/files/lines-to-pay.ts';
import type { LineStatus } from '#lib/service/earnings/lines/payout-line.ts';
import { checkNotFrozen } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { detailsOfPayout } from '#lib/service/programs/payout-details/shared-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** Selects the lines of a payout that a file contains. */
export interface FileChoice {
  readonly status?: LineStatus;
  readonly currency?: Currency;
}

/** Part of a file for a bank. */
export interface BankFilePart {
  readonly lines: readonly LineToPay[];
  readonly currency: Currency;
  readonly part: number;
  /** The account from which a SEPA file pays. */
  readonly payer?: PayerAccount;
}

export interface LineInCsv extends LineToPay {
  /** Whether the owner has never before paid this partner with these details. */
  readonly isNew: boolean;
}

/**
 * The bank files that can be made from a payout, and the lines that no file can contain.
 * @throws Refusal while the payout is open
 */
export async function listFiles(deps: Deps, program: Program, payout: Payout, status: LineStatus = 'recorded') {
  checkIsMade(payout);
  const all = await knownLines(deps, program, payout);
  const chosen = all.filter(({ line }) => line.status === status);
  return filesOf(await openedLines(deps, program, chosen), all);
}

/**
 * All lines of a payout with the unmasked details of each partner who shares them. The access is recorded in the audit
 * log, and the affected partners are notified by e-mail.
 * @param spelling converts the lines to text
 * @throws Refusal while payouts are frozen or the payout is open, and if the text is too large
 */
export const exportPayout = (
  deps: Deps,
  program: Program,
  payout: Payout,
  { status, currency }: FileChoice,
  spelling: (lines: readonly LineInCsv[]) => string,
  mostBytes = MOST_REPLY_BYTES,
): Promise<string> =>
  exported(deps, program, payout, 'csv', async () => {
    const all = await knownLines(deps, program, payout, currency);
    const chosen = all.filter(({ line }) => status === undefined || line.status === status);
    const lines = await openedLines(deps, program, chosen, true);
    // This function can decrypt details, so it may not read the list of payouts, but only each partner's last payout.
    const lastPaid: LastPaid = (partner) => lastPaidAt(deps.table, partner, payout);
    const rows = await inBatches(lines, async (row) => ({
      ...row,
      isNew: await isNew(deps, program, payout, lastPaid, row),
    }));
    const text = spelling(rows);
    if (Buffer.byteLength(JSON.stringify(text)) > mostBytes) throw fileTooLarge();
    return { lines: rows, result: text };
  });

async function isNew(deps: Deps, program: Program, payout: Payout, lastPaid: LastPaid, { partner }: LineToPay) {
  if (!partner) return true;
  return isNewSinceLastPayout(lastPaid, partner, detailsOfPayout(deps, program, partner, payout.createdAt));
}

/**
 * Builds a file for a bank, or one part of it. If a currency is selected, only the payout details of lines in that
 * currency are decrypted. The access is recorded in the audit log, as for the file with all lines.
 * @param part the part's number, as it was sent
 * @throws Refusal while payouts are frozen or the payout is open; if no line can be in the file; if the lines have
 * several currencies; if the part does not exist; if the paying account that a SEPA file needs is missing
 */
export const exportForBank = (
  deps: Deps,
  program: Program,
  payout: Payout,
  format: BankFormat,
  { status = payableStatuses[0], currency: chosen, part: sentPart = '1' }: FileChoice & { readonly part?: string },
  mostInPart?: number,
): Promise<BankFilePart> =>
  exported(deps, program, payout, format, async () => {
    const all = await knownLines(deps, program, payout, chosen);
    const fitting = async (some: readonly KnownLine[]) => {
      const possible = some.filter((one) => one.line.status === status && formatTo(one) === format);
      return (await openedLines(deps, program, possible)).filter((one) => fileOf(one).format === format);
    };
    const currency = chosen ?? onlyCurrencyOf(await fitting(all));
    const inCurrency = all.filter(({ line }) => line.currency === currency);
    const parts = partsOf(format, inCurrency, mostInPart);
    const part = /^[1-9]\d{0,5}$/.test(sentPart) ? Number(sentPart) : 0;
    const inPart = parts[part - 1];
    if (!inPart) throw partInvalid(parts.length);
    const lines = await fitting(inPart);
    if (lines.length === 0) throw noLineFits();
    const payer = format === 'sepa' ? await sepaPayer(deps, program.workspaceId) : undefined;
    return { lines, result: { lines, currency, part, payer } };
  });

/** Returns the currency of these lines. @throws Refusal unless all lines have the same currency */
function onlyCurrencyOf(lines: readonly LineToPay[]): Currency {
  const [currency, ...others] = new Set(lines.map(({ line }) => line.currency));
  if (currency === undefined) throw noLineFits();
  if (others.length > 0) throw badRequest(FILE_CURRENCY_MISSING);
  return currency;
}

/**
 * Returns the account from which a SEPA file pays.
 * @throws Refusal if the workspace has set no IBAN, or no name that a bank can read
 */
async function sepaPayer(deps: Deps, workspaceId: number): Promise<PayerAccount> {
  const payer = await payerAccountOf(deps, workspaceId);
  if (!isReadable(sepaName(payer.name))) throw payerIncomplete();
  return payer;
}

/** Wraps an export: first checks that the payout may be exported, and then records which details were exported. */
const exported = <Result>(
  deps: Deps,
  program: Program,
  payout: Payout,
  format: BankFormat | 'csv',
  read: () => Promise<{ readonly lines: readonly LineToPay[]; readonly result: Result }>,
): Promise<Result> =>
  retryOnConflict(deps, async () => {
    checkIsMade(payout);
    await checkNotFrozen(deps, program.workspaceId);
    const { lines, result } = await read();
    const whole = lines.filter(({ sealed }) => sealed !== undefined);
    await checkStillShared(deps, program, payout, whole);
    const { id, programId } = payout;
    await deps.table.transactLong(
      [
        payoutsFlowCheck(program.workspaceId),
        ...auditWrites(deps, program.workspaceId, {
          action: 'payout.exported',
          target: { type: 'payout', id, programId },
          changes: changesBetween({}, { format, ...sumsOf(lines) }),
        }),
        ...(await downloadMails(deps, program, whole)),
      ],
      [],
    );
    return result;
  });

/** Amounts in several currencies cannot be added up. */
function sumsOf(lines: readonly LineToPay[]) {
  const currencies = [...new Set(lines.map(({ line }) => line.currency))];
  if (currencies.length !== 1) return { lines: lines.length };
  const amountCents = sumOf(lines.map(({ line }) => line.amountCents));
  return { currency: currencies[0], lines: lines.length, amountCents };
}

function checkIsMade({ id, status }: Payout): void {
  if (status === 'open') throw payoutUnderWay(id);
}

/**
 * Checks that the exported details are still shared. A partner may have left the workspace and changed the details
 * between the two reads.
 * @throws ConditionFailed if any details of the file are not shared any more
 */
async function checkStillShared(deps: Deps, program: Program, payout: Payout, whole: readonly LineToPay[]) {
  deps.table.forget();
  const again = await inBatches(whole, async ({ line }) => {
    const partner = await findPartner(deps.table, program.id, line.partnerId);
    return partner && detailsOfPayout(deps, program, partner, payout.createdAt);
  });
  if (whole.some(({ sealed }, index) => sealed !== again[index]?.sealed)) throw new ConditionFailed(new Map());
}

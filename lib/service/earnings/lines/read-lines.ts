import { paidInPayoutCents } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { groupOf, type Payout } from '#lib/service/earnings/payouts/payout.ts';
import { type LineStatus, lineNamed, type PaidTo, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { findStoredLine, linePosition, storedLines } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import { commissionsOfLine } from '#lib/service/earnings/lines/return-line.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { payoutLineNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { detailsOfPayout } from '#lib/service/programs/payout-details/shared-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

type Reads = Pick<Deps, 'table'>;

/** A line, and whether it has its own item. In version 1, lines are in the payout's item until they change. */
export interface StoredOrNot {
  readonly line: PayoutLine;
  readonly isStored: boolean;
}

/**
 * A line with its partner and the payout details to which it is paid: the current ones while the line is `recorded`,
 * later those at the time of sending.
 */
export interface LineToPartner {
  readonly line: PayoutLine;
  readonly partner?: Partner;
  readonly paidTo?: Pick<PaidTo, 'method' | 'masked'>;
}

/** The lines of a payout of version 1, as they were recorded in the payout's item. */
const linesOfItems = ({ items = [], id: payoutId, programId, createdAt }: Payout): PayoutLine[] =>
  items.map((item) => ({ ...item, payoutId, programId, createdAt, status: 'recorded' }));

/** Finds a line of a payout by its id. @returns undefined if the payout has no such line */
export async function findLine({ table }: Reads, payout: Payout, id: string): Promise<StoredOrNot | undefined> {
  const name = lineNamed(id);
  if (!name) return undefined;
  const stored = await findStoredLine(table, { ...name, payoutId: payout.id });
  if (stored) return { line: stored, isStored: true };
  const line = linesOfItems(payout).find((one) => groupOf(one) === groupOf(name));
  return line && { line, isStored: false };
}

/** Finds a line of a payout by its id. @throws Refusal if the payout has no such line */
export async function lineOf(deps: Reads, payout: Payout, id: string): Promise<PayoutLine> {
  const found = await findLine(deps, payout, id);
  if (!found) throw payoutLineNotFound();
  return found.line;
}

export interface LineFilter {
  readonly status?: LineStatus;
  readonly currency?: Currency;
  readonly partnerId?: number;
  readonly method?: PaidTo['method'] | 'none';
}

/** Lines of a payout by partner and currency. */
export const listLines = (
  deps: Reads,
  program: Program,
  payout: Payout,
  { status, currency, partnerId, method }: LineFilter,
  page: PageRequest,
): Promise<Page<LineToPartner>> =>
  keptPage(page, async (part) => {
    const { lines, next } = await partOf(deps, payout, part);
    const kept = lines.filter(
      (line) =>
        (status === undefined || line.status === status) &&
        (currency === undefined || line.currency === currency) &&
        (partnerId === undefined || line.partnerId === partnerId),
    );
    const shown = await Promise.all(kept.map((line) => lineToPartner(deps, program, line)));
    const items = shown.filter(({ paidTo }) => method === undefined || (paidTo?.method ?? 'none') === method);
    return { items: items.map((item) => ({ item, position: linePosition(item.line) })), next };
  });

async function partOf({ table }: Reads, payout: Payout, { most, after }: PageRequest) {
  if (!payout.items) {
    const lines = await storedLines(table, payout.id, { most, after });
    return { lines, next: lines.length < most ? undefined : linePosition(lines.at(-1)!) };
  }
  const left = linesOfItems(payout).filter((line) => after === undefined || linePosition(line) > after);
  const some = left.slice(0, most);
  const lines = await Promise.all(some.map(async (line) => (await findStoredLine(table, line)) ?? line));
  return { lines, next: left.length > most ? linePosition(some.at(-1)!) : undefined };
}

/** All lines of a payout by partner and currency. */
export async function allLinesOf({ table }: Reads, payout: Payout): Promise<readonly PayoutLine[]> {
  const stored = await storedLines(table, payout.id);
  if (!payout.items) return stored;
  const changed = new Map(stored.map((line) => [groupOf(line), line]));
  return linesOfItems(payout).map((line) => changed.get(groupOf(line)) ?? line);
}

export async function lineToPartner(deps: Reads, program: Program, line: PayoutLine): Promise<LineToPartner> {
  const [partner, paidTo] = await Promise.all([
    findPartner(deps.table, line.programId, line.partnerId),
    line.paidTo === undefined ? destinationOf(deps, program, line) : line.paidTo,
  ]);
  return { line, partner, paidTo: paidTo ?? undefined };
}

/** The payout details to which a line would be paid now; undefined if the partner shares none. */
export async function destinationOf(deps: Reads, program: Program, line: PayoutLine): Promise<PaidTo | undefined> {
  const partner = await findPartner(deps.table, line.programId, line.partnerId);
  const details = partner && (await detailsOfPayout(deps, program, partner, line.createdAt));
  return details && { method: details.method, masked: details.masked, updatedAt: details.updatedAt };
}

/** A commission with the amount that a line paid for it, or had paid before it failed or became void. */
export interface CommissionInLine {
  readonly partner?: Partner;
  readonly commission: WithPayoutStatus;
  readonly inLineCents: number;
}

/** The commissions of a line with their current status, by id, newest first. */
export async function commissionsInLine(
  deps: Pick<Deps, 'table' | 'now'>,
  program: Program,
  line: PayoutLine,
  { most, after }: PageRequest,
): Promise<Page<CommissionInLine>> {
  const ids = (await commissionsOfLine(deps, line)).toSorted((a, b) => b - a);
  const left = after === undefined ? ids : ids.filter((id) => id < Number(after));
  const part = left.slice(0, most);
  const found = await Promise.all(
    part.map(async (id) => {
      const commission = await findCommissionById(deps.table, id);
      if (!commission) return [];
      const inLineCents = paidInPayoutCents(commission, line.payoutId);
      const partner = await findPartner(deps.table, program.id, commission.partnerId);
      return [{ commission: await shownNow(deps, program, commission), partner, inLineCents }];
    }),
  );
  return {
    items: found.flat(),
    next: left.length > most ? String(part.at(-1)) : undefined,
  };
}

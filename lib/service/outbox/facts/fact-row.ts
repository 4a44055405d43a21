import type { FactItem, NewFact } from '#lib/service/outbox/facts/facts-of.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { StoredEvent } from '#lib/service/reports/lists/events-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { type CountedCode, withCodeCounts } from '#lib/service/reports/lists/list-codes.ts';
import { asListed, type CommissionOfPartner } from '#lib/service/reports/lists/list-commissions.ts';
import { type ListedEvent, listedEvent } from '#lib/service/reports/lists/list-events.ts';
import { type CountedLink, withPartner } from '#lib/service/reports/lists/list-links.ts';
import { type CountedPartner, withCounts } from '#lib/service/reports/lists/list-partners.ts';
import { lineToPartner, type LineToPartner } from '#lib/service/earnings/lines/read-lines.ts';
import { type PayoutToPartners, toPartners } from '#lib/service/earnings/payouts/read-payouts.ts';

/** The object that a fact is about, with all data of its row in the API. */
export type FactRow =
  | { readonly of: 'event'; readonly row: ListedEvent }
  | { readonly of: 'commission'; readonly row: CommissionOfPartner }
  | { readonly of: 'payout'; readonly row: PayoutToPartners }
  | { readonly of: 'line'; readonly row: LineToPartner }
  | { readonly of: 'partner'; readonly row: CountedPartner }
  | { readonly of: 'link'; readonly row: CountedLink }
  | { readonly of: 'code'; readonly row: CountedCode }
  | { readonly of: 'rotation'; readonly row: { readonly rotateBy: string } };

/**
 * Loads what shows a fact's object: the item as it was when the fact happened, with current names and counts.
 * @throws TypeError if the item is invalid
 */
export async function factRow(deps: Pick<Deps, 'table'>, { kind, item }: FactItem, fact: NewFact): Promise<FactRow> {
  const { programId } = fact;
  if (kind === 'commission') {
    const now = new Date(fact.timestamp);
    return { of: 'commission', row: await asListed({ ...deps, now }, await programOf(deps, programId), item) };
  }
  if (kind === 'payout') return { of: 'payout', row: await toPartners(deps, item) };
  if (kind === 'line') return { of: 'line', row: await lineToPartner(deps, await programOf(deps, programId), item) };
  if (kind === 'partner') return { of: 'partner', row: await withCounts(deps, await programOf(deps, programId), item) };
  if (kind === 'link') return { of: 'link', row: await withPartner(deps, item) };
  if (kind === 'code') return { of: 'code', row: await withCodeCounts(deps, item) };
  if (kind === 'notice') return { of: 'rotation', row: { rotateBy: item.data.deadline } };
  const type = kind === 'customer' ? 'click' : kind === 'testEvent' ? item.type : kind;
  return { of: 'event', row: await listedEvent(deps, programId, { type, item } as StoredEvent) };
}

async function programOf({ table }: Pick<Deps, 'table'>, programId: number) {
  const program = await findProgram(table, programId);
  if (!program) throw new TypeError(`There is no program ${programId}`);
  return program;
}

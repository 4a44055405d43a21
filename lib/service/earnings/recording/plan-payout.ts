import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { countIn, type Payout, type PayoutSums, sumsOf } from '#lib/service/earnings/payouts/payout.ts';
import { needsDetails, type PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import {
  type Due,
  duesOf,
  fitting,
  leavesOut,
  type LeftOutReason,
  minimumOf,
} from '#lib/service/earnings/recording/planned-lines.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { sharedDetails } from '#lib/service/programs/payout-details/shared-details.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import { unsettledAt } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findOpenMark, findPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findStoredLine } from '#lib/service/earnings/lines/payout-lines-items.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import {
  type ListedCommission,
  unsettledCommissionsOf,
} from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { heldPartnersOf } from '#lib/service/earnings/payouts/held-partners.ts';

/** The id used for a payout that is only previewed. */
const NO_ID = 0;

export interface Plan {
  readonly program: Program;
  /** The open payout of the program, or a new one if none is open. */
  readonly payout: Payout;
  /** What the payout was asked to pay when it began. */
  readonly choice: PayoutChoice;
  /** The line that the open payout has recorded last. */
  readonly line?: PayoutLine;
  /** Partners whose payouts are on hold. The payout leaves out their commissions. */
  readonly held: ReadonlySet<number>;
}

/**
 * Loads what is needed for a payout: the program, its open payout or a new one, and the partners whose payouts are on
 * hold.
 * @throws Refusal if there is no such program
 */
export async function planOf(
  deps: Deps,
  programId: number,
  choice: PayoutChoice,
  createdBy: Actor,
  newId: number | Promise<number> = NO_ID,
): Promise<Plan> {
  const { table, now } = deps;
  const [program, mark, id] = await Promise.all([findProgram(table, programId), findOpenMark(table, programId), newId]);
  if (!program) throw programNotFound();
  const [held, open] = await Promise.all([heldPartnersOf(deps, program), mark && findPayout(table, mark.payoutId)]);
  if (mark && open) {
    const { partnerId, through, last } = open;
    const line = last && (await findStoredLine(table, { payoutId: open.id, ...last }));
    return { program, payout: open, choice: mark.choice ?? { partnerId, through }, line, held };
  }
  const { partnerId, through } = choice;
  const createdAt = now.toISOString();
  const payout: Payout = { id, programId, partnerId, through, status: 'open', steps: 0, createdAt, createdBy };
  return { program, payout, choice, held };
}

interface LeftOut extends Due {
  readonly reason: LeftOutReason;
}

/** What a payout must still record. */
export interface Planned {
  /** All unsettled commissions with their current status. */
  readonly unsettled: readonly ListedCommission[];
  /** The lines still to record, by partner and currency, within the size limits of a payout. */
  readonly lines: readonly Due<ListedCommission>[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Computes what a payout made now would record. Reads the index, which may lack very recent writes; when the payout is
 * recorded, the commissions themselves decide.
 * @param listing if set, only these commissions count; otherwise all unsettled ones of the program
 */
export async function plannedBy(
  deps: Deps,
  { program, payout, choice, line, held }: Plan,
  listing: Promise<readonly ListedCommission[]> = unsettledCommissionsOf(deps.table, program.id),
): Promise<Planned> {
  const unsettled = (await listing).map((commission) => unsettledAt(commission, program, deps.now));
  // An open payout of version 1 is completed with the lines that it already contains.
  const dues = payout.items ? [] : duesOf(unsettled, choice, line);
  const methods = needsDetails(choice) ? await methodsOf(deps, program, dues) : undefined;
  const reasonOf = leavesOut({ choice, minimum: minimumOf(program), held, methods });
  const judged = dues.map((due) => ({ due, reason: reasonOf(due) }));
  const recorded = sumsOf(payout);
  const room = { commissions: countIn(recorded, 'commissions'), lines: countIn(recorded, 'lines') };
  return {
    unsettled,
    lines: fitting(
      judged.flatMap(({ due, reason }) => (reason === undefined ? [due] : [])),
      room,
    ),
    leftOut: judged.flatMap(({ due, reason }) => (reason === undefined ? [] : [{ ...due, reason }])),
  };
}

async function methodsOf(deps: Deps, program: Program, dues: readonly Due[]) {
  const ids = [...new Set(dues.map(({ partnerId }) => partnerId))];
  const methods = new Map<number, ShownPayoutDetails['method']>();
  await Promise.all(
    ids.map(async (partnerId) => {
      const partner = await findPartner(deps.table, program.id, partnerId);
      const details = partner && (await sharedDetails(deps, program, partner));
      if (details) methods.set(partnerId, details.method);
    }),
  );
  return methods;
}

/** The sums of what a payout has recorded and what it must still record. */
export function plannedSums(payout: Payout, lines: readonly Due[]): PayoutSums {
  const sums: Record<string, PayoutSums[string]> = { ...sumsOf(payout) };
  for (const { currency, amountCents, commissions, heldCents } of lines) {
    const before = sums[currency] ?? { lines: 0, commissions: 0, amountCents: 0 };
    sums[currency] = {
      lines: before.lines + (heldCents > 0 ? 0 : 1),
      commissions: before.commissions + commissions,
      amountCents: before.amountCents + amountCents,
    };
  }
  return sums;
}

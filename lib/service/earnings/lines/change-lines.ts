import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { payoutLineNotFound, payoutUnderWay, Refusal } from '#lib/service/ground/values/refusals.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { payoutsFlowCheck } from '#lib/service/people/workspaces/workspaces-items.ts';
import { MOST_HISTORY_BYTES } from '#lib/service/earnings/commissions/commissions-items.ts';
import { checkNotFrozen } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { countChanges } from '#lib/service/earnings/lines/line-counts.ts';
import {
  changedLine,
  isEnd,
  type LineChange,
  lineNumberOf,
  type LineStatus,
  type PayoutLine,
} from '#lib/service/earnings/lines/payout-line.ts';
import { changedLineWrite, countsChangeWrite } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { destinationOf, findLine, type StoredOrNot } from '#lib/service/earnings/lines/read-lines.ts';
import type { LineParties } from '#lib/service/earnings/lines/line-parties.ts';
import { presentParties } from '#lib/service/earnings/lines/read-parties.ts';
import { partiesWrite } from '#lib/service/earnings/lines/line-parties-items.ts';
import {
  commissionsOfLine,
  giveBack,
  MOST_RETURNED_AT_ONCE,
  returnWrites,
} from '#lib/service/earnings/lines/return-line.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The result for one of several lines. */
export interface ChangedLine {
  readonly id: string;
  /** The current status. Undefined if the line was not found, or after an error, because the write may have succeeded. */
  readonly status?: LineStatus;
  readonly error?: unknown;
}

/** Maximum number of lines whose status one transaction changes, unless they fail or become void. */
const MOST_MARKED_AT_ONCE = 40;
/**
 * How long a request works on cancelling the payments of large lines that failed or became void. The scheduled function
 * does the rest.
 */
const RETURN_MS = 6_000;

/**
 * Changes the status of payout lines. Each line is checked separately, and several valid ones are changed in one
 * transaction. If a line fails or becomes void, what it paid for its commissions is cancelled: in the same transaction
 * or, if the line has too many commissions for that, in further transactions afterwards.
 * @returns results in the order of the ids
 * @throws Refusal while the payout is open and, if lines are to fail or become void, while payouts are frozen
 */
export async function changeLines(
  deps: Deps,
  program: Program,
  payout: Payout,
  ids: readonly string[],
  change: LineChange,
): Promise<ChangedLine[]> {
  if (payout.status === 'open') throw payoutUnderWay(payout.id);
  await checkMayChange(deps, program, change);
  const found = await Promise.all(ids.map((id) => findLine(deps, payout, id)));
  const request: Request = { deps, program, payout, change, auditId: deps.random.auditId() };
  const results = new Map<string, ChangedLine>();
  const large: PayoutLine[] = [];
  let changed = 0;
  for (const some of batchesOf(ids, found, change.status)) {
    try {
      const batch = await retryOnConflict(deps, () => changeTogether(request, some, changed));
      for (const one of batch.results) results.set(one.id, one);
      changed += batch.changed;
      large.push(...batch.large);
    } catch (error) {
      // The failed reads are in the read cache. It is cleared, so that the following lines do not fail as well.
      deps.table.forget();
      for (const id of some) results.set(id, { id, error });
    }
  }
  const untilMs = performance.now() + RETURN_MS;
  for (const line of large) {
    if (performance.now() > untilMs) break;
    // The status is already changed. If this fails, the scheduled function does the rest.
    await giveBack(deps, line, () => performance.now() <= untilMs).catch((error: unknown) =>
      deps.log.error('payout_delayed', error, { payout_id: line.payoutId }),
    );
  }
  return ids.map((id) => results.get(id)!);
}

/**
 * While payouts are frozen, a line can still be marked as sent or paid, which only reports a payment already made. It
 * cannot fail or become void, because that changes what the next payout pays.
 */
const checkMayChange = async (deps: Deps, { workspaceId }: Program, { status }: LineChange): Promise<void> =>
  isEnd(status) ? checkNotFrozen(deps, workspaceId) : undefined;

interface Request {
  readonly deps: Deps;
  readonly program: Program;
  readonly payout: Payout;
  readonly change: LineChange;
  /** Each transaction writes the request's audit entry again, so that in the end it contains the sum of all lines. */
  readonly auditId: string;
}

/** Divides the lines into groups, one for each transaction. */
function batchesOf(ids: readonly string[], found: readonly (StoredOrNot | undefined)[], status: LineStatus) {
  const batches: string[][] = [];
  let room = 0;
  for (const [index, id] of ids.entries()) {
    const commissions = found[index]?.line.commissions ?? 0;
    // A line takes two writes: one for the line and one for the parties on its statement. A line that fails or becomes
    // void also takes one for the e-mail and one for each commission.
    const size = !isEnd(status) ? 2 : commissions <= MOST_RETURNED_AT_ONCE ? commissions + 3 : 3;
    if (size > room) {
      batches.push([]);
      room = isEnd(status) ? MOST_RETURNED_AT_ONCE + 3 : 2 * MOST_MARKED_AT_ONCE;
    }
    batches.at(-1)!.push(id);
    room -= size;
  }
  return batches;
}

/**
 * Checks some lines, and changes the valid ones in one transaction. If a line fails or becomes void, the transaction
 * also cancels the line's payments in the histories of its commissions.
 */
async function changeTogether(
  { deps, program, payout, change, auditId }: Request,
  ids: readonly string[],
  changedBefore: number,
) {
  await checkMayChange(deps, program, change);
  const judged = await Promise.all(ids.map((id) => judge(deps, program, payout, id, change)));
  const changes = withinTransaction(judged.flatMap((one) => (one.change ? [one.change] : [])));
  const moved = changes.filter(({ before, after }) => after.status !== before.status);
  const writes: Write[] = [
    ...changes.flatMap(({ before, after, isStored, parties, returns }) => [
      changedLineWrite(before, after, isStored),
      ...(parties ? [partiesWrite(after, parties)] : []),
      ...returns,
    ]),
    ...moved.flatMap(({ after }) => (isEnd(after.status) ? returnedMailWrites(program, after, deps.now) : [])),
    ...countsChangeWrite(payout.id, countChanges(moved)),
    ...(isEnd(change.status) && moved.length > 0 ? [payoutsFlowCheck(program.workspaceId)] : []),
    ...(moved.length > 0
      ? auditWrites(deps, program.workspaceId, {
          id: auditId,
          action: 'payout.lines_changed',
          target: { type: 'payout', id: payout.id, programId: program.id },
          changes: changesBetween(
            {},
            { status: change.status, lines: changedBefore + moved.length, reason: reasonOf(change) },
          ),
        })
      : []),
  ];
  if (writes.length > 0) await deps.table.transact(writes);
  return {
    changed: moved.length,
    large: moved.flatMap(({ after }) => (after.returning ? [after] : [])),
    results: judged.map(({ result }) => result),
  };
}

interface Judged {
  readonly result: ChangedLine;
  /** The change of the line. Undefined if there is nothing to write. */
  readonly change?: JudgedChange;
}

interface JudgedChange extends Returns {
  readonly before: PayoutLine;
  readonly after: PayoutLine;
  readonly isStored: boolean;
  /** The parties on the line's statement, as they are now. Set if the line leaves the status `recorded`. */
  readonly parties?: LineParties;
}

/** The writes that cancel the payments of a line that fails or becomes void, in the transaction of the line. */
interface Returns {
  readonly returns: readonly Write[];
  /** Size of the histories of these commissions. Infinite if they are too many for one transaction. */
  readonly bytes: number;
}

/**
 * Limits the size of the transaction. If a line's commissions do not fit into it, only the status of the line changes
 * in this transaction, and the line's payments are cancelled in further ones.
 */
function withinTransaction(changes: readonly JudgedChange[]): JudgedChange[] {
  let room = MOST_HISTORY_BYTES;
  return changes.map((change) => {
    if (change.bytes > room) return { ...change, after: { ...change.after, returning: true }, returns: [] };
    room -= change.bytes;
    return change;
  });
}

async function judge(deps: Deps, program: Program, payout: Payout, id: string, change: LineChange): Promise<Judged> {
  const found = await findLine(deps, payout, id);
  if (!found) return { result: { id, error: payoutLineNotFound() } };
  const { line: before, isStored } = found;
  try {
    const paidTo = before.paidTo === undefined ? await destinationOf(deps, program, before) : before.paidTo;
    const after = changedLine(before, change, paidTo ?? null);
    const result: ChangedLine = { id, status: after.status };
    if (after.status === before.status && after.reference === before.reference) return { result };
    const isSent = before.paidTo === undefined && after.paidTo !== undefined;
    const parties = isSent ? await presentParties(deps, program, before) : undefined;
    return { result, change: { before, after, isStored, parties, ...(await returnsOf(deps, before, after)) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { result: { id, status: before.status, error } };
  }
}

async function returnsOf(deps: Deps, before: PayoutLine, after: PayoutLine): Promise<Returns> {
  if (!isEnd(after.status) || after.status === before.status) return { returns: [], bytes: 0 };
  if (after.commissions > MOST_RETURNED_AT_ONCE) return { returns: [], bytes: Infinity };
  const { writes, bytes } = await returnWrites(deps, after, await commissionsOfLine(deps, after));
  return { returns: writes, bytes };
}

const reasonOf = ({ status, reason }: LineChange) => (isEnd(status) ? reason : undefined);

/** Writes of the e-mail that notifies the partner that the payment will not be made, or was returned. */
const returnedMailWrites = ({ name: programName, id: programId }: Program, line: PayoutLine, now: Date): Write[] =>
  mailWrites({
    kind: 'payout_returned',
    fact: lineNumberOf(line),
    to: { partnerOfLine: line.partnerId },
    data: {
      programId,
      programName,
      payoutId: line.payoutId,
      amount: { currency: line.currency, amountCents: line.amountCents },
      reason: line.reason ?? '',
    },
    now,
  });

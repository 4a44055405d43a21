import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import {
  approved,
  asReadAt,
  payableCents,
  rejected,
  released,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { commissionNotFound, ownerOnly, programNotFound, Refusal } from '#lib/service/ground/values/refusals.ts';
import { traitsWithReleased } from '#lib/service/programs/terms/rules.ts';
import type { MemberRole } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { CommissionPlace } from '#lib/service/earnings/commissions/commission-places-items.ts';
import {
  changedCommissionWrite,
  findCommissionAt,
  findCommissionById,
  versionAfter,
} from '#lib/service/earnings/commissions/commissions-items.ts';
import { changedTraitsWrites, findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** The commission of a program. @param commissionId undefined when what was sent cannot be an id @throws Refusal */
export async function commissionOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  commissionId: number | undefined,
): Promise<Commission> {
  const commission = commissionId === undefined ? undefined : await findCommissionById(table, commissionId);
  if (commission?.programId !== programId) throw commissionNotFound();
  return commission;
}

/** A change of the commission as it reads; the same one back = nothing is written. @throws Refusal */
export type Decision = (commission: Commission, program: Program) => Commission;

/** Who decides. */
export interface Decider {
  readonly actor: Actor;
  readonly role: MemberRole;
}

/** Up to which sum members decide that something is paid, is the owner's setting. @throws Refusal above it */
function checkMayPay({ role }: Decider, commission: Commission, { memberApprovalCents = Infinity }: Program): void {
  if (role !== 'owner' && payableCents(commission) > memberApprovalCents) throw ownerOnly();
}

/** Approves a commission, also before its hold is over. One that reads as approved stays as it is. */
export const approval =
  ({ now }: Deps, decider: Decider): Decision =>
  (commission, program) => {
    if (commission.status === 'approved') return commission;
    checkMayPay(decider, commission, program);
    return approved(commission, { actor: decider.actor, at: now });
  };

/** Lets a held commission go on, and its customer past the rules that have fitted it. */
export const release =
  ({ now }: Deps, decider: Decider): Decision =>
  (commission, program) => {
    checkMayPay(decider, commission, program);
    return released(commission, { actor: decider.actor, at: now });
  };

/** @param reason 1 to 500 characters */
export const rejection =
  ({ now }: Deps, reason: string, actor: Actor): Decision =>
  (commission) =>
    rejected(commission, reason, { actor, at: now });

/** @throws Refusal */
export const decideCommission = (
  deps: Deps,
  commission: CommissionPlace & Pick<Commission, 'programId'>,
  decision: Decision,
): Promise<Commission> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [stored, program] = await Promise.all([
      findCommissionAt(table, commission),
      findProgram(table, commission.programId),
    ]);
    if (!program) throw programNotFound();
    if (!stored) throw commissionNotFound();
    const before = asReadAt(stored, program, now);
    const after = decision(before, program);
    if (after !== before) {
      const { id, programId, rejectionReason } = after;
      const audit = auditWrites(deps, program.workspaceId, {
        action: auditActionOf(after),
        target: { type: 'commission', id, programId },
        changes: changesBetween(before, { status: after.status, rejectionReason }),
      });
      const customer = after.status === 'pending' ? await releasedCustomerWrites(table, after) : [];
      await table.transact([changedCommissionWrite(stored, after), ...customer, ...audit]);
    }
    return asReadAt({ ...after, version: versionAfter(stored, after) }, program, now);
  });

function auditActionOf({ status }: Commission) {
  if (status === 'pending') return 'commission.released';
  return status === 'approved' ? 'commission.approved' : 'commission.rejected';
}

/** What a release changes on the customer: nothing, where no further sale can be this customer's. */
async function releasedCustomerWrites(table: Table, { clickId, flags = [] }: Commission): Promise<Write[]> {
  const customer = await findCustomer(table, clickId);
  if (!customer) return [];
  const traits = traitsWithReleased(
    customer.traits,
    flags.map(({ rule }) => rule),
  );
  return traits ? changedTraitsWrites(customer, traits) : [];
}

/** What became of one of several commissions. */
export interface Decided {
  readonly id: number;
  /** As it reads now; undefined when it is not found, or after a failure: the write may have been carried out. */
  readonly status?: CommissionStatus;
  /** Why it was not decided. */
  readonly error?: unknown;
}

/** So that the table's connections are enough for every call. */
const DECIDED_AT_ONCE = 20;

/** Decides each commission on its own: what one meets does not touch the others. @returns in the order of the ids */
export async function decideCommissions(
  deps: Deps,
  programId: number,
  ids: readonly number[],
  decision: Decision,
): Promise<Decided[]> {
  const decided: Decided[] = [];
  for (let at = 0; at < ids.length; at += DECIDED_AT_ONCE) {
    const some = ids.slice(at, at + DECIDED_AT_ONCE);
    decided.push(...(await Promise.all(some.map((id) => decideById(deps, programId, id, decision)))));
  }
  return decided;
}

async function decideById(deps: Deps, programId: number, id: number, decision: Decision): Promise<Decided> {
  let status: CommissionStatus | undefined;
  const noted: Decision = (commission, program) => {
    ({ status } = commission);
    return decision(commission, program);
  };
  try {
    const after = await decideCommission(deps, await commissionOf(deps, programId, id), noted);
    return { id, status: after.status };
  } catch (error) {
    if (error instanceof Refusal) return { id, status, error };
    // A failed read of the program is remembered, too, and would fail the commissions that follow.
    deps.table.forget();
    return { id, error };
  }
}

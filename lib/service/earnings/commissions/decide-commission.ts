import { type Actor, type AuditedAct, changesBetween } from '#lib/service/ground/changes/audit.ts';
import {
  type AuditRow,
  type Commission,
  type CommissionStatus,
  ofSale,
} from '#lib/service/earnings/commissions/commission.ts';
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
import { batchAuditWrites } from '#lib/service/people/workspaces/batch-audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Finds a commission of the program.
 * @param commissionId undefined if the sent value cannot be an id
 * @throws Refusal if the program has no such commission
 */
export async function commissionOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  commissionId: number | undefined,
): Promise<Commission> {
  const commission = commissionId === undefined ? undefined : await findCommissionById(table, commissionId);
  if (commission?.programId !== programId) throw commissionNotFound();
  return commission;
}

/** What a decision changes. */
interface Change {
  /** The commission after the decision. It is the same object if nothing changes. */
  readonly after: Commission;
  /** Further writes of the transaction. */
  readonly writes?: readonly Write[];
}

/**
 * Computes what a decision changes, from the commission with its current status.
 * @throws Refusal if the status does not allow the change
 */
export type Decision = (commission: Commission, program: Program) => Change | Promise<Change>;

/** The user who decides. */
export interface Decider {
  readonly actor: Actor;
  readonly role: MemberRole;
}

/**
 * Checks the owner's limit for decisions of members. A deduction counts like a commission of the same amount.
 * @throws Refusal if a member decides above the limit
 */
export function checkMayPay(
  { role }: Decider,
  commission: Commission,
  { memberApprovalCents = Infinity }: Program,
): void {
  if (role !== 'owner' && Math.abs(payableCents(commission)) > memberApprovalCents) throw ownerOnly();
}

/** Approves a commission, even before its hold period ends. An approved commission is returned unchanged. */
export const approval =
  ({ now }: Deps, decider: Decider): Decision =>
  (commission, program) => {
    if (commission.status === 'approved') return { after: commission };
    checkMayPay(decider, commission, program);
    return { after: approved(commission, { actor: decider.actor, at: now }) };
  };

/** Releases a commission that rules held for review. These rules no longer hold later commissions of its customer. */
export const release =
  ({ table, now }: Deps, decider: Decider): Decision =>
  async (commission, program) => {
    checkMayPay(decider, commission, program);
    const after = released(commission, { actor: decider.actor, at: now });
    return { after, writes: await releasedCustomerWrites(table, after) };
  };

/**
 * Rejects a commission. Rejecting a deduction means that the partner is paid more, so the same limit applies as to an
 * approval.
 * @param reason 1 to 500 characters
 */
export const rejection =
  ({ now }: Deps, reason: string, decider: Decider): Decision =>
  (commission, program) => {
    if (payableCents(commission) < 0) checkMayPay(decider, commission, program);
    return { after: rejected(commission, reason, { actor: decider.actor, at: now }) };
  };

/**
 * Applies a decision and stores the result with an audit row.
 * @param batch an id that the caller gives to several requests, so that their decisions share one row of the audit list
 * @throws Refusal if the program or commission does not exist, or the decision is not possible
 */
export const decideCommission = (
  deps: Deps,
  commission: CommissionPlace & Pick<Commission, 'programId'>,
  decision: Decision,
  batch?: string,
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
    const { after, writes = [] } = await decision(before, program);
    if (after !== before) {
      const audit = await decisionAuditWrites(deps, program, auditedDecision(before, after), after, batch);
      await table.transact([changedCommissionWrite(stored, after), ...writes, ...audit]);
    }
    return asReadAt({ ...after, version: versionAfter(stored, after) }, program, now);
  });

const auditActions = {
  released: 'commission.released',
  approved: 'commission.approved',
  rejected: 'commission.rejected',
  reopened: 'commission.reopened',
} as const satisfies Partial<Record<AuditRow['action'], AuditedAct['action']>>;

async function decisionAuditWrites(
  deps: Deps,
  program: Program,
  act: AuditedAct,
  commission: Commission,
  batch: string | undefined,
): Promise<Write[]> {
  if (batch === undefined) return auditWrites(deps, program.workspaceId, act);
  const { id, currency } = commission;
  const item = { id, name: ofSale(commission)?.transactionId, amountCents: payableCents(commission), currency };
  return batchAuditWrites(deps, { batch, program, act, item });
}

/** A decision in the audit list. A reopening is shown with its reason. */
function auditedDecision(before: Commission, after: Commission): AuditedAct {
  const { id, programId, status, rejectionReason, history } = after;
  const { action, reason } = history.findLast((row) => row.action in auditActions)!;
  return {
    action: auditActions[action as keyof typeof auditActions],
    target: { type: 'commission', id, programId },
    changes: {
      ...changesBetween(before, { status, rejectionReason }),
      ...(action === 'reopened' && changesBetween({}, { reason })),
    },
    amounts: { [after.currency]: payableCents(after) },
  };
}

/** Writes that exempt the customer from the rules that held the commission. Empty if no further sale is possible. */
async function releasedCustomerWrites(table: Table, { clickId, flags = [] }: Commission): Promise<Write[]> {
  const customer = await findCustomer(table, clickId);
  if (!customer) return [];
  const traits = traitsWithReleased(
    customer.traits,
    flags.map(({ rule }) => rule),
  );
  return traits ? changedTraitsWrites(customer, traits) : [];
}

/** The result for one of several commissions. */
export interface Decided {
  readonly id: number;
  /**
   * The current status. Undefined if the commission was not found, or after an error, because the write may have
   * succeeded.
   */
  readonly status?: CommissionStatus;
  /** Why the decision failed. Undefined if it succeeded. */
  readonly error?: unknown;
}

/** Maximum number of decisions made in parallel. */
const DECIDED_AT_ONCE = 20;

/**
 * Decides each commission separately: a failure does not affect the others. Commissions of a batch are decided one
 * after the other, because each transaction changes the batch's audit row.
 * @returns results in order of the ids
 */
export async function decideCommissions(
  deps: Deps,
  programId: number,
  { ids, batch }: { readonly ids: readonly number[]; readonly batch?: string },
  decision: Decision,
): Promise<Decided[]> {
  const decided: Decided[] = [];
  const atOnce = batch === undefined ? DECIDED_AT_ONCE : 1;
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    decided.push(...(await Promise.all(some.map((id) => decideById(deps, programId, id, decision, batch)))));
  }
  return decided;
}

async function decideById(
  deps: Deps,
  programId: number,
  id: number,
  decision: Decision,
  batch: string | undefined,
): Promise<Decided> {
  let status: CommissionStatus | undefined;
  const noted: Decision = (commission, program) => {
    ({ status } = commission);
    return decision(commission, program);
  };
  try {
    const after = await decideCommission(deps, await commissionOf(deps, programId, id), noted, batch);
    return { id, status: after.status };
  } catch (error) {
    if (error instanceof Refusal) return { id, status, error };
    // The failed read of the program is in the read cache. It is cleared, so that the following commissions do not fail
    // as well.
    deps.table.forget();
    return { id, error };
  }
}

import { actorText, type Changes } from '#lib/service/ground/changes/audit.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { open, seal } from '#lib/service/ground/effects/vault.ts';
import { maskedIban } from '#lib/service/ground/parties/bank-account.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { changedMeanwhile } from '#lib/service/ground/values/refusals.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { auditedPayerField, type Payer, type PayerChange } from '#lib/service/people/workspaces/payer.ts';
import { findPayer, payerWrite } from '#lib/service/people/workspaces/payer-items.ts';
import type { Workspace } from '#lib/service/people/workspaces/workspace.ts';

/**
 * Changes who pays the partners of a workspace, and from which account. Sending the same values again changes nothing.
 * @param compare compares with the values that the caller has read
 * @throws Refusal if the fields have changed since the caller read them
 */
export const changePayer = (
  deps: Deps,
  { id: workspaceId, name }: Pick<Workspace, 'id' | 'name'>,
  change: PayerChange,
  compare?: Comparison<Payer | undefined>,
): Promise<Payer | undefined> =>
  retryOnConflict(deps, async () => {
    const { table, now, actor } = deps;
    const before = await findPayer(table, workspaceId);
    const changed = compare?.(before) ?? {};
    if (Object.keys(changed).length > 0) {
      throw changedMeanwhile(changed, before?.changedBy ?? null, before?.updatedAt ?? null);
    }
    const { iban, ...fields } = change;
    const after = { ...before, ...withoutEmpty(fields), ...(await changedIban(deps, workspaceId, iban, before)) };
    const names = (Object.keys(after) as (keyof Payer)[]).filter((field) => after[field] !== before?.[field]);
    if (names.length === 0) return before;
    const payer: Payer = {
      ...after,
      version: (before?.version ?? 0) + 1,
      updatedAt: now.toISOString(),
      changedBy: actor && actorText(actor),
    };
    await table.transact([
      payerWrite(workspaceId, before, payer),
      ...auditWrites(deps, workspaceId, {
        action: 'workspace.payer_changed',
        target: { type: 'workspace', id: workspaceId, name },
        changes: changesOf(names, before, payer),
      }),
    ]);
    return payer;
  });

const withoutEmpty = (fields: object): Partial<Payer> =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === '' ? undefined : value]));

/**
 * The IBAN, encrypted. Empty if none was sent, or if it is the present one: its encryption would look like a change.
 */
async function changedIban(
  deps: Deps,
  workspaceId: number,
  iban: string | undefined,
  before: Payer | undefined,
): Promise<Pick<Payer, 'sealedIban' | 'ibanMasked'>> {
  if (iban === undefined) return {};
  if (iban === '') return { sealedIban: undefined, ibanMasked: undefined };
  const owner = { workspaceId };
  const present = before?.sealedIban === undefined ? undefined : await open(deps, before.sealedIban, owner);
  return iban === present ? {} : { sealedIban: await seal(deps, iban, owner), ibanMasked: maskedIban(iban) };
}

/** The audited changes. A field is listed even if its masked value is the same before and after. */
const changesOf = (names: readonly (keyof Payer)[], before: Payer | undefined, after: Payer): Changes =>
  Object.fromEntries(
    names
      .map((field) => (field === 'sealedIban' ? 'ibanMasked' : field))
      .map((field) => [field, { from: auditedPayerField(before, field), to: auditedPayerField(after, field) }]),
  );

import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { doneMailWrite, type DueMail, firstDueMails } from '#lib/service/people/mail/due-mails-items.ts';
import { findKey, findProgram, markedKeyCheck } from '#lib/service/programs/program/programs-items.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import { reportWrites } from '#lib/service/outbox/mail/report-terms.ts';
import { payoutDueMailWrites } from '#lib/service/outbox/mail/payout-due.ts';
import { digestMailWrites } from '#lib/service/outbox/digests/digest-mail-writes.ts';
import { rotationMailWrites } from '#lib/service/programs/keys/rotation-mail-writes.ts';
import { termsMailWrites } from '#lib/service/programs/terms/terms-mail-writes.ts';

const AT_ONCE = 100;

/**
 * Creates the e-mails that are due. An e-mail whose reason no longer applies is not created. The next run continues
 * where this one ends. If one fails, the following ones are still created.
 */
export async function makeDueMails(deps: Deps): Promise<void> {
  const { table, now } = deps;
  for (;;) {
    table.forget();
    const due = await firstDueMails(table, now, AT_ONCE);
    const failures: unknown[] = [];
    for (const one of due) {
      if (deps.ending?.aborted) return;
      await makeDueMail(deps, one).catch((error: unknown) => {
        // This is no failure: another run has created the e-mail, or an owner is replacing the key at this moment.
        if (!(error instanceof ConditionFailed)) failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
    if (due.length < AT_ONCE) return;
  }
}

async function makeDueMail(deps: Deps, due: DueMail): Promise<void> {
  await deps.table.transact([doneMailWrite(due), ...(await mailsOf(deps, due))]);
}

type Due<Kind extends DueMail['kind']> = Extract<DueMail, { readonly kind: Kind }>;
type ReadDeps = Pick<Deps, 'table' | 'now'>;

/** Writes of an e-mail, if its reason still applies. */
function mailsOf(deps: Deps, due: DueMail): Promise<Write[]> {
  if (due.kind === 'payout_due') return payoutDueMailWrites(deps, due);
  if (due.kind === 'owner_digest') return digestMailWrites(deps, due);
  if (due.kind === 'commission_terms_changed') return reportWrites(deps, due);
  return due.kind === 'terms_changed' ? changedTerms(deps, due) : rotation(deps, due);
}

/** Writes of the mails about terms changed yesterday. Empty if mails about a later change were sent today. */
async function changedTerms(deps: ReadDeps, { programId }: Due<'terms_changed'>): Promise<Write[]> {
  const program = await findProgram(deps.table, programId);
  const writes = program ? await termsMailWrites(deps, program) : [];
  return writes.filter(({ name }) => name !== 'dueMail');
}

/**
 * Writes of the e-mails that remind owners to replace a program's key. Empty if the key was replaced, if its rotation
 * mark was changed or removed, or if its deadline is over.
 */
async function rotation({ table, now }: ReadDeps, due: Due<'key_rotation_due'>): Promise<Write[]> {
  const program = await findProgram(table, due.programId);
  const { rotationMarkedAt, rotationDeadline } = (program && (await findKey(table, program))) ?? {};
  if (!program || rotationMarkedAt !== due.rotationMarkedAt || rotationDeadline === undefined) return [];
  if (rotationDeadline <= now.toISOString()) return [];
  return [
    markedKeyCheck(program, rotationMarkedAt),
    ...rotationMailWrites(program, { rotationMarkedAt, rotationDeadline }, due.dueAt, now),
  ];
}

import {
  type PartnerTermsChange,
  type TermsOfPartner,
  termsOfPartner,
} from '#lib/service/programs/terms/agreements.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import {
  type AddressedPartner,
  checkStep,
  hasAddress,
  isKnownByAddress,
  type membershipStatuses,
  MOST_CHANGED_PROGRAMS,
  type Partner,
} from '#lib/service/programs/partners/partner.ts';
import { addressHoldUntil } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { partnerEmailTaken, partnerInTooManyPrograms, partnerRemoved } from '#lib/service/ground/values/refusals.ts';
import type { Comparison, Values } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import type { PartnerPointer } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { changedPartnerWrites, findPartner, isForgotten } from '#lib/service/programs/partners/partners-items.ts';
import { mergedWrites } from '#lib/service/ground/table/merged-writes.ts';
import { payoutHoldWrite } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';
import { mailStateShown } from '#lib/service/programs/partners/mail-barrier.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { partnerTermsChange } from '#lib/service/programs/terms/change-agreements.ts';
import { addressMail } from '#lib/service/programs/partners/partner-mails.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { partnerStep, relationOf, stepTo } from '#lib/service/programs/partners/set-partner-status.ts';

/** The changeable fields of a partner; absent fields stay unchanged. */
type PartnerChange = Partial<Pick<AddressedPartner, 'name' | 'email'>> &
  PartnerTermsChange & { readonly status?: (typeof membershipStatuses)[number] };

/** The values that the caller last read of a partner, grouped by the parts of the change. */
export interface SeenPartner {
  readonly person?: Comparison<Partner>;
  readonly terms?: Comparison<TermsOfPartner>;
  readonly status?: Comparison<Partner>;
}

/**
 * Changes a partner: its name and e-mail in all programs of the workspace, and its group, terms and status in this
 * program. Either all of this changes or nothing. Changes of links, and payout holds, that do not fit into the
 * transaction are written before it; if the request is interrupted, repeating it completes the change.
 * @param change what to change; an e-mail address is trimmed and lower-cased
 * @throws Refusal when the partner has changed since the caller read it, a status is sent for a person who has never
 * been a partner, the e-mail is another partner's, the partner is in too many programs, or there is no such group or no
 * room for more personal terms. Then nothing is changed
 */
export const changePartner = (
  deps: Deps,
  { id: programId }: Pick<Program, 'id'>,
  partnerId: number,
  { status, name, email, ...terms }: PartnerChange,
  seen: SeenPartner = {},
): Promise<{ partner: Partner; terms: TermsOfPartner }> =>
  retryOnConflict(deps, async () => {
    const [{ program, partner: found }, before] = await Promise.all([
      relationOf(deps, programId, partnerId),
      findAgreements(deps.table, programId),
    ]);
    const changesTerms = Object.keys(terms).length > 0;
    const agreed = changesTerms ? partnerTermsChange(deps, program, before, partnerId, terms) : undefined;
    await checkSeen(
      deps,
      targetOf(program, partnerId),
      (): Values => ({
        ...seen.status?.(found),
        ...seen.person?.(found),
        ...seen.terms?.(termsOfPartner(program, before, found)),
      }),
      found,
    );
    if (status !== undefined) checkStep(stepTo[status], found, deps.now);
    const person = await changedPerson(deps, program, found, { name, email });
    const step = status === undefined ? undefined : await partnerStep(deps, program, person.stored, status, found);
    const others = [...(agreed?.writes ?? []), ...(step?.writes ?? [])];
    // The writes of the partner's links are not counted: if they do not fit into the transaction of the change, they
    // are made before it.
    const links = step ? found.links.length : 0;
    if (person.writes.length > 0 && person.writes.length + others.length - links > MOST_WRITES) {
      throw partnerInTooManyPrograms(MOST_CHANGED_PROGRAMS);
    }
    const all = mergedWrites([...person.writes, ...others, ...person.repeatable]);
    const writes = [...all, ...person.left.slice(0, Math.max(MOST_WRITES - all.length, 0))];
    if (writes.length > 0) await deps.table.transactLong(writes, []);
    deps.table.forget();
    const { partner } = step ?? person;
    return { partner, terms: termsOfPartner(program, agreed?.agreements ?? before, partner) };
  });

/** A partner after a change of name or e-mail, with the writes for it. */
interface ChangedPerson {
  /** The partner as the reply shows it. */
  readonly partner: Partner;
  /** The partner as it is stored. */
  readonly stored: Partner;
  readonly writes: readonly Write[];
  /** Repeatable writes. Those that do not fit into the transaction of the change are made before it. */
  readonly repeatable: readonly Write[];
  /** Writes that are only made if they fit into the transaction of the change. */
  readonly left: readonly Write[];
}

/** Computes a change of name and e-mail. If a change is repeated because its reply was lost, nothing is written. */
async function changedPerson(
  deps: Deps,
  program: Program,
  before: Partner,
  wanted: Pick<PartnerChange, 'name' | 'email'>,
): Promise<ChangedPerson> {
  const { table } = deps;
  const { id: programId, workspaceId } = program;
  const { id: partnerId } = before;
  const same = { partner: before, stored: before, writes: [], repeatable: [], left: [] };
  if (wanted.name === undefined && wanted.email === undefined) return same;
  // The partner has closed the account, and a new address must not undo this.
  if (!hasAddress(before)) throw partnerRemoved();
  const { name = before.name, email = before.email } = wanted;
  if (name === before.name && email === before.email) return same;
  const isMoved = email !== before.email;
  // The new address may belong to another person, so the payout of amounts earned under the former address is put on
  // hold.
  const addressHeldUntil = isMoved ? addressHoldUntil(deps.now).toISOString() : before.addressHeldUntil;
  const after: AddressedPartner = { ...before, name, email, addressHeldUntil };
  const [known = { ...before, programIds: new Set([programId]) }, holder] = await Promise.all([
    findPartnerByEmail(table, workspaceId, before.email),
    findPartnerByEmail(table, workspaceId, after.email),
  ]);
  if (holder && holder.id !== partnerId) throw partnerEmailTaken();
  const found = await Promise.all([...known.programIds].map((id) => findPartner(table, id, partnerId)));
  const relations = found.filter((relation) => relation !== undefined);
  // The whole change is one transaction, and unlinking an account takes one more write. This write is counted for every
  // partner, even without an account. Otherwise, a refusal would reveal whether there is an account.
  const forgettable = after.email === before.email ? [] : relations.filter(isKnownByAddress);
  if (relations.length + forgettable.length > MOST_CHANGED_PROGRAMS)
    throw partnerInTooManyPrograms(MOST_CHANGED_PROGRAMS);
  const [row, ...lastChanges] = auditWrites(deps, workspaceId, {
    action: 'partner.changed',
    target: { type: 'partner', id: partnerId, name: before.name, programId },
    changes: changesBetween(before, { name: after.name, email: after.email }),
  });
  const mailStates = isMoved ? await mailStatesOf(deps, relations, after.email) : new Map<number, undefined>();
  const { changed, found: listed, left } = changedPartnerWrites(workspaceId, relations, known, after, mailStates);
  const told = isMoved ? await addressMail(deps, program, before, relations, addressHeldUntil!) : [];
  // Payout holds that do not fit into the transaction of the change are written before it. If the change then fails,
  // the only effect is that money is paid later.
  const holds = isMoved ? relations.map((relation) => payoutHoldWrite(pointerTo(relation), { addressHeldUntil })) : [];
  const partner = isMoved ? { ...after, mail: mailStates.get(programId) } : after;
  return {
    partner,
    stored: isForgotten(before, email) ? { ...partner, accountId: undefined, acceptedTerms: undefined } : partner,
    writes: [...(row ? [row] : []), ...told, ...changed],
    // The writes that record who changed which field are repeatable: repeating them changes nothing.
    repeatable: [...listed, ...holds, ...lastChanges],
    left,
  };
}

const targetOf = ({ id: programId }: Program, id: number) => ({ type: 'partner', id, programId }) as const;

const pointerTo = ({ programId, id: partnerId }: Partner): PartnerPointer => ({ programId, partnerId });

/** Returns, by program, why a new address gets no mails. A bounce of the former address does not count. */
async function mailStatesOf(
  deps: Deps,
  relations: readonly Partner[],
  email: string,
): Promise<ReadonlyMap<number, Partner['mail']>> {
  const states = relations.map(async (relation) => {
    const accountId = isForgotten(relation, email) ? undefined : relation.accountId;
    return [relation.programId, await mailStateShown(deps, relation, { email, accountId })] as const;
  });
  return new Map(await Promise.all(states));
}

import { type AddressedPartner, isKnownByAddress, type Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { keys, type Key } from '#lib/service/ground/table/keys.ts';
import {
  accountPartnerWrite,
  addressWrite,
  forgottenAccountWrite,
  forgottenAddressWrite,
} from '#lib/service/people/accounts/partner-accounts-items.ts';
import { type KnownPartner, knownPartnerWrite } from '#lib/service/programs/partners/known-partners-items.ts';
import {
  formerPartnerAtWrite,
  partnerAtWrite,
  sharedPartOf,
} from '#lib/service/programs/addresses/partners-at-items.ts';
import { addedWordWrites, formerWordWrites, partnerWordWrites } from '#lib/service/programs/words/words-items.ts';
import { candidateCounter, placeOf } from '#lib/service/programs/partners/partner-status-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';

export const findPartner = (table: Table, programId: number, partnerId: number): Promise<Partner | undefined> =>
  table.get<Partner>(keys.partner(programId, partnerId));

/** Finds the partner to whom a customer belongs. */
export const findPartnerOf = async (
  table: Table,
  customer: { readonly programId: number; readonly partnerId?: number } | undefined,
): Promise<Partner | undefined> =>
  customer?.partnerId === undefined ? undefined : findPartner(table, customer.programId, customer.partnerId);

/**
 * Writes that add a partner or a candidate to a program.
 * @param isKnown whether another program of the workspace has the person already
 */
export function newPartnerWrites(program: Program, partner: AddressedPartner, isKnown: boolean): Write[] {
  const { id } = partner;
  const hasJoined = partner.status === 'active';
  const count = hasJoined ? 'partnerCount' : candidateCounter(partner);
  return [
    {
      name: 'partner',
      key: keys.partner(partner.programId, id),
      put: { ...partner, ...placeOf(partner, hasJoined) },
      condition: { isNew: true },
    },
    {
      name: 'program',
      key: keys.program(program.id),
      change: { add: { [count]: 1 } },
      // Fails if the program was paused, became full or got new terms first. This request then reloads and decides
      // again.
      condition: {
        equals: { status: 'active', partnerTermsVersion: program.partnerTermsVersion },
        // If the program is full, all partners are refused except applicants, who wait in the queue.
        ...(partner.status !== 'applied' && { below: { [count]: MOST_PARTNERS } }),
      },
    },
    knownPartnerWrite(program, partner, isKnown ? partner : undefined),
    partnerAtWrite(partner),
    ...(partner.accountId === undefined
      ? [addressWrite(partner)]
      : [accountPartnerWrite(partner.accountId, partner), openAccountCheck(partner.accountId)]),
    ...partnerWordWrites(program.workspaceId, partner),
  ];
}

/**
 * Writes that change a partner's name or e-mail in all of its programs. The former e-mail is then free for others, and
 * an account linked only by it is unlinked. The writes in `found`, for the lists by e-mail address and by word, come
 * last and may be repeated. The writes in `left` may be omitted, but must not be made before the change.
 * @param relations the partner in each of its programs
 * @param mailStates by program, if the e-mail changes: why the new address gets no mails
 */
export function changedPartnerWrites(
  workspaceId: number,
  relations: readonly Partner[],
  before: KnownPartner,
  { id, name, email, addressHeldUntil }: AddressedPartner,
  mailStates: ReadonlyMap<number, Partner['mail']>,
): Readonly<Record<'changed' | 'found' | 'left', readonly Write[]>> {
  const known = keys.partnerEmail(workspaceId, before.email);
  const programIds = new Set(relations.map(({ programId }) => programId));
  // Fails if another change of the partner was written first, or if another program has added the partner first. This
  // request then reloads and decides again.
  const condition = { equals: { id, name: before.name, programIds: before.programIds } };
  const isMoved = email !== before.email;
  const changed: Write[] = [
    ...(isMoved
      ? [
          { name: 'formerEmail', key: known, remove: true, condition } as const,
          {
            name: 'email',
            key: keys.partnerEmail(workspaceId, email),
            put: { id, name, email, programIds } satisfies KnownPartner,
            // Fails if another partner with this e-mail was written first. This request then reloads and is refused.
            condition: { isNew: true },
          } as const,
        ]
      : [{ name: 'email', key: known, change: { set: { name, programIds } }, condition }]),
    ...relations.map((relation) =>
      changedRelationWrite(relation, {
        name,
        email,
        ...(isMoved && { mail: mailStates.get(relation.programId), addressHeldUntil }),
      }),
    ),
    ...relations.flatMap((relation) =>
      isForgotten(relation, email) ? [forgottenAccountWrite(relation.accountId, relation)] : [],
    ),
  ];
  const waiting = isMoved ? relations.filter((one) => one.accountId === undefined || isForgotten(one, email)) : [];
  const isElsewhere = isMoved && sharedPartOf(email) !== sharedPartOf(before.email);
  const elsewhere = isElsewhere ? relations : [];
  const after = { id, name, email };
  const found = [
    ...addedWordWrites(workspaceId, before, after),
    ...elsewhere.map(({ programId }) => partnerAtWrite({ programId, id, email })),
    ...waiting.map((relation) => addressWrite({ ...relation, email })),
  ];
  // The former address is removed from the list if the writes for that fit into one transaction with an audit row, the
  // mail to the person and the count of mails. Otherwise, the next sign-in with the former address removes it.
  const former = waiting.map(({ programId }) => forgottenAddressWrite({ programId, email: before.email }));
  const fitting = Math.max(MOST_WRITES - 4 - changed.length - found.length, 0);
  const left = [
    ...formerWordWrites(workspaceId, before, after),
    ...elsewhere.map(({ programId }) => formerPartnerAtWrite({ programId, id, email: before.email })),
  ];
  return { changed, found: [...found, ...former.slice(0, fitting)], left };
}

/** Whether a partner's account is unlinked when the address by which it is known changes. */
export const isForgotten = (relation: Partner, email: string): relation is Partner & { readonly accountId: number } =>
  relation.accountId !== undefined && email !== relation.email && isKnownByAddress(relation);

function changedRelationWrite(
  relation: Partner,
  changed: Pick<AddressedPartner, 'name' | 'email' | 'mail' | 'addressHeldUntil'>,
): Write {
  const { name, email, accountId, status } = relation;
  const isOfAnother = isForgotten(relation, changed.email);
  return {
    name: 'partner',
    key: keys.partner(relation.programId, relation.id),
    // If the new address is another person's, the former person's account and accepted terms are removed.
    change: {
      set: { ...changed, ...(isOfAnother && { accountId: undefined, acceptedTerms: undefined }) },
    },
    // Fails if another change, a sign-in with the former address or an acceptance was written first. This request then
    // reloads and decides again. Unchanged values are checked too: items may be read at different times.
    condition: { equals: { name, email, accountId, ...(isOfAnother && { status, joinedAt: undefined }) } },
  };
}

/**
 * Every partner of a program, including removed ones. The partners are adjacent in the program's partition: even the
 * maximum, about 3 MB, costs four queries and 400 read units, whereas single reads would cost 10,000.
 */
export const allPartnersOf = (table: Table, programId: number): Promise<Partner[]> =>
  table.query<Partner>(keys.program(programId).pk, { prefix: 'PARTNER#', forList: true });

/** The partners after a given one, ordered by key, in any status. */
export async function partnersAfter(
  table: Table,
  programId: number,
  after: string | undefined,
  most: number,
): Promise<(Partner & Key)[]> {
  const found = await table.query<Partner & Key>(keys.program(programId).pk, { prefix: 'PARTNER#', after, most });
  return found.slice(0, most);
}

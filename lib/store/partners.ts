import type { Partner } from '#lib/domain/partner.ts';
import { indexKeys, keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import type { Write } from '#lib/store/writes.ts';

/** Who has this e-mail in a workspace, in whichever of its programs. */
export type KnownPartner = Pick<Partner, 'id' | 'name' | 'email'>;

export const findPartner = (table: Table, programId: number, partnerId: number): Promise<Partner | undefined> =>
  table.get<Partner>(keys.partner(programId, partnerId));

export const findPartnerByEmail = (
  table: Table,
  workspaceId: number,
  email: string,
): Promise<KnownPartner | undefined> => table.get<KnownPartner>(keys.partnerEmail(workspaceId, email));

/** Writes that add a partner to a program. @param isKnown whether another program of the workspace has it already */
export function newPartnerWrites(workspaceId: number, partner: Partner, isKnown: boolean): Write[] {
  const { id, name, email } = partner;
  return [
    {
      name: 'partner',
      key: keys.partner(partner.programId, id),
      put: { ...partner, ...indexKeys.partner(partner.programId, partner.createdAt, id) },
      condition: { isNew: true },
    },
    ...(isKnown
      ? []
      : [
          {
            name: 'email',
            key: keys.partnerEmail(workspaceId, email),
            put: { id, name, email } satisfies KnownPartner,
            // Two programs add the same person at once: the loser uses the id that the winner gave.
            condition: { isNew: true },
          } as const,
        ]),
  ];
}

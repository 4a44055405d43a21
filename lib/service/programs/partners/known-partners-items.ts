import type { AddressedPartner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The partner with this e-mail in any program of a workspace. */
export interface KnownPartner extends Pick<AddressedPartner, 'id' | 'name' | 'email'> {
  /** The programs to which it was added. */
  readonly programIds: ReadonlySet<number>;
}

export const findPartnerByEmail = (
  table: Table,
  workspaceId: number,
  email: string,
): Promise<KnownPartner | undefined> => table.get<KnownPartner>(keys.partnerEmail(workspaceId, email));

/** Lists a partner of a program with its workspace. @param known under its address already */
export function knownPartnerWrite(
  { id: programId, workspaceId }: Program,
  { id, name, email }: AddressedPartner,
  known: Pick<KnownPartner, 'name'> | undefined,
): Write {
  const programIds = new Set([programId]);
  return {
    name: 'email',
    key: keys.partnerEmail(workspaceId, email),
    ...(known
      ? {
          change: { add: { programIds } },
          // The partner is renamed or gets another e-mail at this moment: the loser adds what the winner left.
          condition: { equals: { id, name: known.name } },
        }
      : {
          put: { id, name, email, programIds } satisfies KnownPartner,
          // Two programs add the same person at once: the loser uses the id that the winner gave.
          condition: { isNew: true },
        }),
  };
}

import type { AddressedPartner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A partner of a workspace, found by an e-mail address. */
export interface KnownPartner extends Pick<AddressedPartner, 'id' | 'name' | 'email'> {
  /** The programs of the workspace that the partner is in. */
  readonly programIds: ReadonlySet<number>;
}

export const findPartnerByEmail = (
  table: Table,
  workspaceId: number,
  email: string,
): Promise<KnownPartner | undefined> => table.get<KnownPartner>(keys.partnerEmail(workspaceId, email));

/** The write that adds a program to a partner's entry. @param known the stored entry of the address, if there is one */
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
          // Fails if the partner was renamed or got another e-mail address in the meantime. This request then reloads
          // and adds its program to the changed entry.
          condition: { equals: { id, name: known.name } },
        }
      : {
          put: { id, name, email, programIds } satisfies KnownPartner,
          // Closes the race between two programs that add the same person: the second one uses the id that the first
          // one assigned.
          condition: { isNew: true },
        }),
  };
}

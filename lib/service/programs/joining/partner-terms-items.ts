import type { Program } from '#lib/service/programs/program/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The partner terms of a program, a text that partners accept. */
export interface PartnerTerms {
  readonly version: number;
  readonly text: string;
}

/** Stores a version permanently, because partners have accepted it. */
export const partnerTermsWrite = (programId: number, { version, text }: PartnerTerms): Write => ({
  name: 'partnerTerms',
  key: keys.partnerTerms(programId, version),
  put: { text },
  condition: { isNew: true },
});

/** The newest partner terms of a program, if it has any. */
export async function findPartnerTerms(
  table: Table,
  { id, partnerTermsVersion: version }: Pick<Program, 'id' | 'partnerTermsVersion'>,
): Promise<PartnerTerms | undefined> {
  if (version === undefined) return undefined;
  const stored = await table.get<{ readonly text: string }>(keys.partnerTerms(id, version));
  return stored && { version, text: stored.text };
}

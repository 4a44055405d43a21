import {
  type Terms,
  type TermsChange,
  termsIn,
  type TermsInForce,
  type TermsVersion,
} from '#lib/service/programs/terms/terms.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Terms that have been replaced. */
export async function findFormerTerms(
  table: Table,
  programId: number,
  version: number,
): Promise<TermsInForce | undefined> {
  const item = await table.get<Terms & TermsVersion>(keys.formerTerms(programId, version));
  return item && { ...termsIn(item), version: { version, from: item.from, name: item.name } };
}

/** Stores replaced terms, so that every version can be read by its number. */
export const formerTermsWrite = (programId: number, { version: of, ...terms }: TermsInForce): Write => ({
  name: 'formerTerms',
  key: keys.formerTerms(programId, of.version),
  put: { ...of, ...terms },
});

/** Records a change of terms. Its key is always new, so this write cannot make the transaction of the change fail. */
export const termsChangeWrite = (programId: number, id: string, change: TermsChange): Write => ({
  name: 'termsChange',
  key: keys.termsChange(programId, change.at, id),
  put: change,
});

/** The latest changes of any terms of a program, newest first. */
export const latestTermsChanges = (table: Table, programId: number, most: number): Promise<TermsChange[]> => {
  const { pk } = keys.termsChange(programId, '', '');
  return table.query<TermsChange>(pk, { prefix: 'TERMS_CHANGE#', most, newestFirst: true });
};

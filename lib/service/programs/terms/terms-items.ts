import {
  type Terms,
  type TermsChange,
  type TermsHistory,
  termsIn,
  type TermsInForce,
  type TermsVersion,
} from '#lib/service/programs/terms/terms.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

type TermsItem = Terms & TermsVersion & TermsHistory;

const inForceOf = (item: TermsItem): TermsInForce => ({
  ...termsIn(item),
  version: { version: item.version, from: item.from, name: item.name },
});

/** A version of terms; undefined for current terms that began before the service stored versions at their beginning. */
export async function findTerms(table: Table, programId: number, version: number): Promise<TermsInForce | undefined> {
  const item = await table.get<TermsItem>(keys.termsVersion(programId, version));
  return item && inForceOf(item);
}

/** A stored version of terms. */
export interface StoredTerms {
  readonly terms: TermsInForce;
  readonly history: TermsHistory;
}

/**
 * The latest stored versions of terms of a program, newest first.
 * @param before only versions below this one
 */
export async function latestTerms(
  table: Table,
  programId: number,
  most: number,
  before?: number,
): Promise<StoredTerms[]> {
  const { pk } = keys.termsVersion(programId, 0);
  const after = before === undefined ? undefined : keys.termsVersion(programId, before).sk;
  const items = await table.query<TermsItem>(pk, { prefix: 'TERMS#', most, after, newestFirst: true });
  return items.map((item) => {
    const { id, effectiveAt, endedAt, by } = item;
    return { terms: inForceOf(item), history: { id, effectiveAt, endedAt, by } };
  });
}

/** The write that stores terms when they begin, so that every version can be read by its number. */
export const newTermsWrite = (
  programId: number,
  { version: of, ...terms }: TermsInForce,
  history: TermsHistory,
): Write => ({
  name: 'terms',
  key: keys.termsVersion(programId, of.version),
  put: { ...of, ...terms, ...history },
});

/**
 * The write that stores when terms ended. It contains all of the terms, because former versions of the service stored
 * terms only when they ended.
 */
export const endedTermsWrite = (
  programId: number,
  { version: of, ...terms }: TermsInForce,
  { id, endedAt }: Pick<TermsHistory, 'id' | 'endedAt'>,
): Write => ({
  name: 'formerTerms',
  key: keys.termsVersion(programId, of.version),
  change: { set: { ...of, ...terms, id, endedAt } },
});

/** The write that records a change of terms. Its key is always new, so it never makes the change's transaction fail. */
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

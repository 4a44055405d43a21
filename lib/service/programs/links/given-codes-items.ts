import { type Code, codeName } from '#lib/service/programs/links/code.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A code that is new or was changed. The item exists until the payments that waited for the code are recorded. */
export type GivenCode = Pick<Code, 'programId' | 'code'>;

const keyOf = ({ programId, code }: GivenCode) => keys.givenCode(programId, codeName(code));

export const givenCodeWrite = ({ programId, code }: GivenCode): Write => ({
  name: 'givenCode',
  key: keyOf({ programId, code }),
  put: { programId, code },
});

export const firstGivenCodes = (table: Table, most: number): Promise<GivenCode[]> =>
  table.query<GivenCode>(keys.givenCode(0, '').pk, { most });

export const doneGivenCodeWrite = (given: GivenCode): Write => ({ name: 'givenCode', key: keyOf(given), remove: true });

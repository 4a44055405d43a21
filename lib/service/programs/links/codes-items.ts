import { type Code, codeName, isCode } from '#lib/service/programs/links/code.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { indexKeys, keys, type PartnerIndexKey, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { everyListed, pageOf, pagesOf } from '#lib/service/ground/table/pages.ts';
import { codeWordWrites } from '#lib/service/programs/words/words-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A program's code; the case of its letters does not matter. Text that cannot be a code is not looked up. */
export const findCode = async (table: Table, programId: number, sent: string | undefined): Promise<Code | undefined> =>
  sent !== undefined && isCode(sent) ? table.get<Code>(keys.code(programId, codeName(sent))) : undefined;

/** The item that reserves the processor's id for one code, so that no other code of the program can have it. */
interface ProcessorCode {
  readonly code: string;
}

/** Finds the program's code with this id of the processor. */
export async function findCodeByProcessorId(
  table: Table,
  programId: number,
  processorCodeId: string,
): Promise<Code | undefined> {
  const claim = await table.get<ProcessorCode>(keys.processorCode(programId, processorCodeId));
  return findCode(table, programId, claim?.code);
}

/** The write that reserves the processor's id for a code. */
export const processorCodeWrite = (programId: number, processorCodeId: string, code: string): Write => ({
  name: 'processorCode',
  key: keys.processorCode(programId, processorCodeId),
  put: { code } satisfies ProcessorCode,
  // Fails if another code of the program already has this id of the processor. This request is then refused.
  condition: { isNew: true },
});

/** The item that lists a code under its partner. */
const codeListing = ({ programId, partnerId, createdAt, code }: Code): PartnerIndexKey =>
  partnerIndexKeys.code(programId, partnerId, createdAt, codeName(code));

/**
 * The items of a new code. A code belongs to its first partner permanently: if two requests create it at once, one of
 * them is refused.
 */
export const codeWrites = (code: Code): Write[] => [
  {
    name: 'code',
    key: keys.code(code.programId, codeName(code.code)),
    put: { ...code, ...indexKeys.code(code.programId, code.createdAt, codeName(code.code)), ...codeListing(code) },
    condition: { isNew: true },
  },
  ...(code.processorCodeId === undefined ? [] : [processorCodeWrite(code.programId, code.processorCodeId, code.code)]),
  ...codeWordWrites(code),
];

/** Writes that change the status of a code, its processor id or its discount. */
export const changedCodeWrites = (before: Code, { status, processorCodeId, discount }: Code): Write[] => [
  {
    name: 'code',
    key: keys.code(before.programId, codeName(before.code)),
    change: { set: { status, processorCodeId, discount } },
    // Closes the race between two changes: the second one reloads, and then frees the processor id that the first one
    // has reserved.
    condition: {
      exists: true,
      equals: { status: before.status, processorCodeId: before.processorCodeId, discount: before.discount },
    },
  },
  ...(processorCodeId === undefined || processorCodeId === before.processorCodeId
    ? []
    : [
        processorCodeWrite(before.programId, processorCodeId, before.code),
        ...(before.processorCodeId === undefined
          ? []
          : [
              {
                name: 'formerProcessorCode',
                key: keys.processorCode(before.programId, before.processorCodeId),
                remove: true,
              } as const,
            ]),
      ]),
];

export async function* everyCode(table: Table, programId: number): AsyncGenerator<Code> {
  for await (const page of pagesOf(table, indexKeys.code(programId, '', '').gsi1pk)) {
    const found = await Promise.all(page.map(({ pk, sk }) => table.get<Code>({ pk, sk })));
    for (const code of found) if (code) yield code;
    table.forget();
  }
}

/** All codes of a program. */
export const allCodesOf = (table: Table, programId: number): Promise<Code[]> =>
  everyListed(table, indexKeys.code(programId, '', '').gsi1pk);

/** Codes of a partner, oldest first. */
export const codesOfPartner = (
  table: Table,
  programId: number,
  partnerId: number,
  page: PageRequest,
): Promise<Page<Code>> =>
  pageOf<Code>(table, partnerIndexKeys.code(programId, partnerId, '', '').gsi2pk, page, undefined, { index: 'gsi2' });

/** Codes of a program, oldest first. */
export const codesOf = (
  table: Table,
  programId: number,
  { partnerId }: { readonly partnerId?: number },
  page: PageRequest,
): Promise<Page<Code>> =>
  pageOf<Code>(
    table,
    indexKeys.code(programId, '', '').gsi1pk,
    page,
    (code) => partnerId === undefined || code.partnerId === partnerId,
  );

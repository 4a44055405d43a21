import { type Code, codeName, isCode } from '#lib/service/programs/links/code.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { indexKeys, keys, type PartnerIndexKey, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { pageOf, pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A program's code, in any case; what cannot be a code is not looked up. */
export const findCode = async (table: Table, programId: number, sent: string | undefined): Promise<Code | undefined> =>
  sent !== undefined && isCode(sent) ? table.get<Code>(keys.code(programId, codeName(sent))) : undefined;

/** The claim of a code on the processor's id. */
interface ProcessorCode {
  readonly code: string;
}

/** The program's code that has this id of the processor. */
export async function findCodeByProcessorId(
  table: Table,
  programId: number,
  processorCodeId: string,
): Promise<Code | undefined> {
  const claim = await table.get<ProcessorCode>(keys.processorCode(programId, processorCodeId));
  return findCode(table, programId, claim?.code);
}

/** The claim of a code on an id of the processor. */
export const processorCodeWrite = (programId: number, processorCodeId: string, code: string): Write => ({
  name: 'processorCode',
  key: keys.processorCode(programId, processorCodeId),
  put: { code } satisfies ProcessorCode,
  // Another code of the program has it, or two race for it.
  condition: { isNew: true },
});

/** Where a code appears among its partner's. */
const codeListing = ({ programId, partnerId, createdAt, code }: Code): PartnerIndexKey =>
  partnerIndexKeys.code(programId, partnerId, createdAt, codeName(code));

/** A code is its first owner's for ever: of two that race for it, one is refused. */
export const newCodeWrites = (code: Code, partner: Partner): Write[] => [
  {
    name: 'code',
    key: keys.code(code.programId, codeName(code.code)),
    put: { ...code, ...indexKeys.code(code.programId, code.createdAt, codeName(code.code)), ...codeListing(code) },
    condition: { isNew: true },
  },
  ...(code.processorCodeId === undefined ? [] : [processorCodeWrite(code.programId, code.processorCodeId, code.code)]),
  {
    name: 'partner',
    key: keys.partner(code.programId, partner.id),
    check: true,
    // The partner is removed at this moment.
    condition: { equals: { status: 'active' } },
  },
];

/** Writes that change a code's status or its id of the processor. */
export const changedCodeWrites = (before: Code, { status, processorCodeId }: Code): Write[] => [
  {
    name: 'code',
    key: keys.code(before.programId, codeName(before.code)),
    change: { set: { status, processorCodeId } },
    // Two changes race: the loser frees the id that the winner claimed.
    condition: { exists: true, equals: { status: before.status, processorCodeId: before.processorCodeId } },
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

/** Every code of a program. */
export async function* everyCode(table: Table, programId: number): AsyncGenerator<Code> {
  for await (const page of pagesOf(table, indexKeys.code(programId, '', '').gsi1pk)) {
    const found = await Promise.all(page.map(({ pk, sk }) => table.get<Code>({ pk, sk })));
    for (const code of found) if (code) yield code;
    table.forget();
  }
}

/** Codes of one partner, oldest first. */
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

import { type Commission, ofSale } from '#lib/domain/commission.ts';
import { type ExportFiles, exportFileName, type Upload } from '#lib/domain/export-files.ts';
import { asReadAt } from '#lib/domain/commission-lifecycle.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { cursorInvalid } from '#lib/domain/refusals.ts';
import type { Sale } from '#lib/domain/sale.ts';
import type { Deps } from '#lib/service/deps.ts';
import { commissionsOf } from '#lib/service/store/commissions.ts';
import { findSale } from '#lib/service/store/sales.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import type { Table } from '#lib/service/store/table.ts';
import {
  type CommissionFilter,
  type CommissionOfPartner,
  daysOf,
  isKept,
  listWith,
} from '#lib/service/use-cases/list-commissions.ts';

/** A commission with its sale, which alone knows its tax. */
export interface CommissionOfSale extends CommissionOfPartner {
  readonly sale?: Sale;
}

/** How rows become text. */
export interface Spelling {
  readonly header: string;
  readonly lines: (rows: readonly CommissionOfSale[]) => string;
}

/** The whole text, or its file, or the position for the next request. */
export type Exported = { readonly text: string } | { readonly file: string } | { readonly cursor: string };

/** State for the next request. */
interface Progress {
  readonly programId: number;
  readonly filter: CommissionFilter;
  /** Position in the list. */
  readonly after?: string;
  /** The part that is not uploaded yet. */
  readonly rest: string;
  readonly upload?: Upload;
  /** The file, once it is finished. */
  readonly file?: string;
}

export const exportBounds = {
  /** Commissions that one request reads: a third of the time it has. Browsers follow twenty redirects. */
  commissions: 50_000,
  /** S3 takes parts from 5 MiB on. */
  partBytes: 8 * 1024 * 1024,
  /** In JSON: Lambda replies with 6 MB at most. */
  replyBytes: 5_000_000,
};

/** The names of this many commissions fit into one page of the index, however long their transaction ids are. */
const STRIDE = 500;

/**
 * Every commission of a program, newest first, as a text of any size. It is read and uploaded in parts, with bounded
 * memory; when a request runs out of time, the next one continues.
 * @param cursor of the request before
 * @throws Refusal for a cursor that is none of this program and filter
 */
export async function exportCommissions(
  deps: Deps,
  program: Program,
  filter: CommissionFilter,
  { files, spelling, cursor }: { files: ExportFiles; spelling: Spelling; cursor?: string },
  bounds = exportBounds,
): Promise<Exported> {
  const { table, random, now } = deps;
  const id = cursor ?? random.exportId();
  const fresh: Progress = { programId: program.id, filter, rest: spelling.header };
  let progress = cursor === undefined ? fresh : await progressOf(files, id, fresh);
  if (progress.file) return { file: progress.file };

  const send = async ({ rest, upload, ...others }: Progress): Promise<Progress> => {
    const begun =
      upload ?? (await files.begin(exportFileName(now, random.exportId()), `commissions-${program.id}.csv`));
    return { ...others, rest: '', upload: rest === '' ? begun : await files.append(begun, rest) };
  };
  const partners = new Map<number, Partner | undefined>();
  let isEnd = false;
  for (let read = 0; !isEnd; read += STRIDE) {
    if (read >= bounds.commissions) {
      await files.keep(id, progress);
      return { cursor: id };
    }
    const request = { most: STRIDE, after: progress.after, ...daysOf(filter) };
    const { items, next } = await commissionsOf(table, program.id, listWith(filter), request, () => true);
    const wanted = items.filter(isKept(deps, program, filter));
    const unknown = new Set(wanted.map(({ partnerId }) => partnerId).filter((one) => !partners.has(one)));
    const [sales] = await Promise.all([
      Promise.all(wanted.map((one) => saleOf(table, one))),
      ...[...unknown].map(async (one) => partners.set(one, await findPartner(table, program.id, one))),
    ]);
    // The rows are written by now: the read cache must not grow.
    table.forget();
    const rows = wanted.map((one, index) => ({
      commission: asReadAt(one, program, now),
      partner: partners.get(one.partnerId),
      sale: sales[index],
    }));
    progress = { ...progress, after: next, rest: progress.rest + spelling.lines(rows) };
    if (Buffer.byteLength(progress.rest) >= bounds.partBytes) progress = await send(progress);
    isEnd = next === undefined;
  }

  const { rest: text } = progress;
  if (!progress.upload && Buffer.byteLength(JSON.stringify(text)) <= bounds.replyBytes) return { text };
  const { upload } = await send(progress);
  await files.finish(upload!);
  const file = upload!.name;
  // A repeat of this request, because its answer was lost, finds the file.
  await files.keep(id, { ...fresh, file });
  return { file };
}

const saleOf = async (table: Table, commission: Commission): Promise<Sale | undefined> => {
  const { transactionId } = ofSale(commission) ?? {};
  return transactionId === undefined ? undefined : findSale(table, transactionId);
};

/** What was kept has lost its undefined fields. */
const isSame = (kept: CommissionFilter, filter: CommissionFilter): boolean =>
  Object.entries({ ...kept, ...filter }).every(([field, value]) => kept[field as keyof CommissionFilter] === value);

/** @throws Refusal */
async function progressOf(files: ExportFiles, id: string, { programId, filter }: Progress): Promise<Progress> {
  const kept = /^[\w-]{43}$/.test(id) ? ((await files.kept(id)) as Progress | undefined) : undefined;
  if (kept?.programId !== programId || !isSame(kept.filter, filter)) throw cursorInvalid();
  return kept;
}

import { type ExportFiles, exportFileName, type Upload } from '#lib/service/ground/values/export-files.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import { cursorInvalid } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/** What is exported, and how its parts are read. */
export interface ExportSource {
  /** The list with its filters, to which a cursor is bound. */
  readonly list: readonly unknown[];
  /** Name under which a browser saves it. */
  readonly savedAs: string;
  readonly header: string;
  /** The lines of some rows, and the position behind which the next ones begin. */
  readonly lines: (page: PageRequest) => Promise<{ readonly text: string; readonly next?: string }>;
}

/** The whole text, or its file, or the position for the next request. */
export type Exported = { readonly text: string } | { readonly file: string } | { readonly cursor: string };

/** State for the next request. */
interface Progress {
  /** What is exported, as text. */
  readonly list: string;
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
 * A list as a text of any size. It is read and uploaded in parts, with bounded memory; when a request runs out of time, the
 * next one continues.
 * @param cursor of the request before
 * @throws Refusal for a cursor that is none of this list and its filters
 */
export async function exportRows(
  { table, random, now }: Deps,
  source: ExportSource,
  { files, cursor }: { readonly files: ExportFiles; readonly cursor?: string },
  bounds = exportBounds,
): Promise<Exported> {
  const id = cursor ?? random.exportId();
  const fresh: Progress = { list: JSON.stringify(source.list), rest: source.header };
  let progress = cursor === undefined ? fresh : await progressOf(files, id, fresh);
  if (progress.file) return { file: progress.file };

  const send = async ({ rest, upload, ...others }: Progress): Promise<Progress> => {
    const begun = upload ?? (await files.begin(exportFileName(now, random.exportId()), source.savedAs));
    return { ...others, rest: '', upload: rest === '' ? begun : await files.append(begun, rest) };
  };
  let isEnd = false;
  for (let read = 0; !isEnd; read += STRIDE) {
    if (read >= bounds.commissions) {
      await files.keep(id, progress);
      return { cursor: id };
    }
    const { text, next } = await source.lines({ most: STRIDE, after: progress.after });
    // The rows are written by now: the read cache must not grow.
    table.forget();
    progress = { ...progress, after: next, rest: progress.rest + text };
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

/** @throws Refusal */
async function progressOf(files: ExportFiles, id: string, { list }: Progress): Promise<Progress> {
  const kept = /^[\w-]{43}$/.test(id) ? ((await files.kept(id)) as Progress | undefined) : undefined;
  if (kept?.list !== list) throw cursorInvalid();
  return kept;
}

import {
  type ExportFiles,
  exportFileName,
  MOST_REPLY_BYTES,
  type Upload,
} from '#lib/service/ground/values/export-files.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import { cursorInvalid } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/** The data of an export, and how to read its parts. */
export interface ExportSource {
  /** Identifies the list and its filters. A cursor is valid only if they are the same. */
  readonly list: readonly unknown[];
  /** File name that browsers suggest. */
  readonly savedAs: string;
  readonly header: string;
  /** Text after the last row. */
  readonly footer?: string;
  /** Returns the text of a page of rows, and the position after which the next page begins, if there is one. */
  readonly lines: (page: PageRequest) => Promise<{ readonly text: string; readonly next?: string }>;
}

/**
 * The result of a request: the whole file as text, the name of the finished file, or the cursor with which the next
 * request continues.
 */
export type Exported = { readonly text: string } | { readonly file: string } | { readonly cursor: string };

/** How far an export is, stored between two requests. */
interface Progress {
  /** The list and its filters, as text. */
  readonly list: string;
  /** Position in the list after which the next request continues. */
  readonly after?: string;
  /** Text that is not uploaded yet. */
  readonly rest: string;
  readonly upload?: Upload;
  /** Name of the file, set when the file is finished. */
  readonly file?: string;
}

export const exportBounds = {
  /**
   * Maximum number of commissions read per request, which takes a third of the available time. A browser follows at
   * most twenty redirects.
   */
  commissions: 50_000,
  /** Size of an uploaded part. S3 requires at least 5 MiB. */
  partBytes: 8 * 1024 * 1024,
  replyBytes: MOST_REPLY_BYTES,
};

/**
 * How many commissions are read at once. Their index keys fit into one page of a query even if transaction ids are as
 * long as possible.
 */
const STRIDE = 500;

/**
 * Writes a list as a file of any size. It is read and uploaded in parts, so that little memory is needed. If a request
 * runs out of time, the next one continues.
 * @param cursor the cursor from the previous request
 * @throws Refusal for a cursor that does not belong to this list and its filters
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
    // The rows are already written to the file, so the read cache need not contain them.
    table.forget();
    progress = { ...progress, after: next, rest: progress.rest + text };
    if (Buffer.byteLength(progress.rest) >= bounds.partBytes) progress = await send(progress);
    isEnd = next === undefined;
  }

  progress = { ...progress, rest: progress.rest + (source.footer ?? '') };
  const { rest: text } = progress;
  if (!progress.upload && Buffer.byteLength(JSON.stringify(text)) <= bounds.replyBytes) return { text };
  const { upload } = await send(progress);
  await files.finish(upload!);
  const file = upload!.name;
  // The file's name is stored before the reply is sent. If the reply is lost, the repeated request finds the file.
  await files.keep(id, { ...fresh, file });
  return { file };
}

/** Loads the state that an earlier request has stored. @throws Refusal when the cursor is not valid for this list */
async function progressOf(files: ExportFiles, id: string, { list }: Progress): Promise<Progress> {
  const kept = /^[\w-]{43}$/.test(id) ? ((await files.kept(id)) as Progress | undefined) : undefined;
  if (kept?.list !== list) throw cursorInvalid();
  return kept;
}

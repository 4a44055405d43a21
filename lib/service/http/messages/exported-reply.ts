import { exportAddress } from '#lib/service/ground/effects/exports.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { Redirect, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import type { Exported } from '#lib/service/reports/exports/export-rows.ts';

/** The path of an export's route, and the query of the present request. */
interface ExportRoute {
  /** Path of the route, from the origin. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Query parameters that the next request repeats. */
  readonly filters?: readonly string[];
}

interface FileKind {
  /** File name that browsers suggest. */
  readonly name: string;
  readonly type?: string;
}

/**
 * The file if it fits into a reply; otherwise a redirect to the next part of the export, and finally to the file.
 */
export function exportedReply(
  deps: Pick<Deps, 'config'>,
  exported: Exported,
  { name, type = 'text/csv; charset=utf-8' }: FileKind,
  { path, query, filters = [] }: ExportRoute,
): TextFile | Redirect {
  if ('text' in exported) return new TextFile(name, type, exported.text);
  if ('file' in exported) return new Redirect(exportAddress(deps, exported.file));
  const next = new URLSearchParams({ cursor: exported.cursor });
  for (const field of filters) if (query[field] !== undefined) next.set(field, query[field]);
  return new Redirect(`${path}?${next.toString()}`);
}

import type { Api } from '#lib/apps/web/api/api.ts';
import { gatherRows } from '#lib/apps/web/api/gather-rows.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';

type ExportedProgram = ExportedPerson['programs'][number];

/** Names of the lists that may be longer than the export allows, and that can be read page by page. */
const lists = ['commissions', 'payouts', 'customers', 'links', 'codes'] as const;

/**
 * Collects everything that is stored about an account as a partner. If the API's export is too large for one reply,
 * reads the lists of all programs instead, up to 10,000 rows each.
 * @throws ApiError
 */
export async function wholeExport(api: Pick<Api, 'answer' | 'get'>, signal: AbortSignal): Promise<ExportedPerson> {
  const person = await api.get<ExportedPerson>('/export');
  if (person.complete) return person;
  const programs: ExportedProgram[] = [];
  let isWhole = true;
  for (const program of person.programs) {
    if (signal.aborted) break;
    const rows: Record<string, readonly unknown[]> = {};
    // A person who was rejected may not read the lists; the export already contains everything about that person.
    for (const list of program.status === 'rejected' ? [] : lists) {
      const gathered = await gatherRows<unknown>(
        api,
        `/programs/${program.program_id}/${list}`,
        {},
        { onCount: () => {}, signal },
      );
      rows[list] = gathered.rows;
      isWhole &&= gathered.isWhole;
    }
    programs.push({ ...program, ...rows });
  }
  return { ...person, programs, complete: isWhole };
}

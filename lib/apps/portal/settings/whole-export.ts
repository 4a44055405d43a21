import type { Api } from '#lib/apps/web/api/api.ts';
import { gatherRows } from '#lib/apps/web/api/gather-rows.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';

type ExportedProgram = ExportedPerson['programs'][number];

/** Lists of unlimited length, which can be read in full per program. */
const lists = ['commissions', 'payouts', 'customers', 'links', 'codes'] as const;

/**
 * All data stored for an account as a partner. The API's export is a single reply; if that is incomplete, the lists
 * of the programs are read instead, up to 10,000 rows each.
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
    // A rejected person may not read the lists, and needs none of them, because the export already contains everything.
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

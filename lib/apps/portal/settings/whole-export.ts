import type { Api } from '#lib/apps/web/api.ts';
import { gatherRows } from '#lib/apps/web/gather-rows.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';

type ExportedProgram = ExportedPerson['programs'][number];

/** What grows without bounds; a list of each program has it whole. */
const lists = ['commissions', 'payouts', 'customers', 'links', 'codes'] as const;

/**
 * Everything that is stored of an account as a partner. The API's export is one reply: where it had to leave something
 * out, the lists of the programs are read instead, each up to 10,000 rows.
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
    // The lists are closed to a rejected person, and the export has what there is.
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

import { type Reloadable, useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useSession } from '#lib/apps/portal/session.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';

type ExportedProgram = ExportedPerson['programs'][number];

/**
 * Loads the data that only the export contains, for programs that the person has left, by program id. @param isNeeded
 * false loads nothing
 */
export function useExported(isNeeded: boolean): Reloadable<ReadonlyMap<number, ExportedProgram>> {
  const { api } = useSession();
  return useLoaded(async () => {
    const programs = isNeeded ? (await api.get<ExportedPerson>('/export')).programs : [];
    return new Map(programs.map((program) => [program.program_id, program]));
  }, [api, isNeeded]);
}

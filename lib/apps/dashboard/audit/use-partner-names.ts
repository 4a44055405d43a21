import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

export type PartnerName = (programId: number | null, partnerId: number) => string | undefined;

/**
 * Loads the names of the partners that entries name by their ids only. A name is undefined until it is loaded, and if
 * the partner is not known any more.
 */
export function usePartnerNames(entries: readonly AuditEntry[]): PartnerName {
  const { api } = useSession();
  const paths = [...new Set(entries.flatMap(partnersIn))].toSorted();
  const nameAt = (path: string): Promise<string | undefined> =>
    api.get<Partner>(path).then(
      ({ name }) => name,
      () => undefined,
    );
  const names = useLoaded(
    async () => new Map(await Promise.all(paths.map(async (path) => [path, await nameAt(path)] as const))),
    [api, paths.join(' ')],
  );
  return (programId, partnerId) =>
    names.state === 'ready' ? names.value.get(pathOf(programId, partnerId)) : undefined;
}

const pathOf = (programId: number | null, partnerId: number): string => `/programs/${programId}/partners/${partnerId}`;

const partnersIn = ({ target: { program_id: programId }, changes: { partner_id: change } }: AuditEntry): string[] =>
  [change?.from, change?.to].filter((id): id is number => typeof id === 'number').map((id) => pathOf(programId, id));

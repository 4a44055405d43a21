import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

/** The name of a partner, for a filter whose options may not include that partner. @param partnerId empty for none */
export function usePartnerName(partnerId: string): string {
  const { api } = useSession();
  const { path } = useProgram();
  const partner = useLoaded(
    () =>
      partnerId === ''
        ? Promise.resolve(undefined)
        : api.get<Partner>(`${path}/partners/${encodeURIComponent(partnerId)}`),
    [api, path, partnerId],
  );
  if (partnerId === '') return '';
  return (partner.state === 'ready' && partner.value?.name) || `Partner ${partnerId}`;
}

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { periodOfFigures } from '#lib/service/triggers/http/requests/figures.ts';
import { withPartner } from '#lib/service/use-cases/list-links.ts';
import { linkOf } from '#lib/service/use-cases/set-link-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => linkOf(deps, program.id, path.short_link ?? ''),
  input: periodOfFigures,
  run: async (deps, _, period, link) => linkReply(await withPartner(deps, link, period)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { linkReply } from '#lib/service/http/partners/partner-reply.ts';
import { periodOfFigures } from '#lib/service/http/reports/figures-request.ts';
import { withPartner } from '#lib/service/reports/lists/list-links.ts';
import { linkOf } from '#lib/service/programs/links/set-link-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => linkOf(deps, program.id, path.short_link ?? ''),
  input: periodOfFigures,
  run: async (deps, _, period, link) => linkReply(await withPartner(deps, link, period)),
});

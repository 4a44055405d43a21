import { linkStatuses } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { linkReply } from '#lib/http/replies/partner.ts';
import { statusBody } from '#lib/http/requests/partner.ts';
import { withPartner } from '#lib/use-cases/list-links.ts';
import { linkOf, setLinkStatus } from '#lib/use-cases/set-link-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => linkOf(deps, program.id, path.short_link ?? ''),
  input: ({ json }) => statusBody(json(), linkStatuses),
  async run(deps, { program }, status, { shortLink }) {
    const link = await setLinkStatus(deps, program.id, shortLink, status);
    return linkReply(await withPartner(deps, link));
  },
});

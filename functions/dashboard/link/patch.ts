import { linkStatuses } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { linkReply } from '#lib/http/replies/partner.ts';
import { statusBody } from '#lib/http/requests/partner.ts';
import { linkOf, setLinkStatus } from '#lib/use-cases/set-link-status.ts';
import { withPartner } from '#lib/use-cases/list-links.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ path, json }) => ({ shortLink: path.short_link ?? '', json }),
  async run(deps, { program }, { shortLink, json }) {
    await linkOf(deps, program.id, shortLink);
    const link = await setLinkStatus(deps, program.id, shortLink, statusBody(json(), linkStatuses));
    return linkReply(await withPartner(deps, link));
  },
});

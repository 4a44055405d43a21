import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { withPartner } from '#lib/service/use-cases/list-links.ts';
import { linkOf, setLinkStatus } from '#lib/service/use-cases/set-link-status.ts';
import { LinkStatusChange } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // Reads the partner first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) => withPartner(deps, await linkOf(deps, program.id, path.short_link ?? '')),
  input: ({ json }) => parseCompleteBody(LinkStatusChange, json()).status,
  run: async (deps, { program }, status, found) =>
    linkReply({ ...found, link: await setLinkStatus(deps, program.id, found.link.shortLink, status) }),
});

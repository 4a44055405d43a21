import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { overviewReply } from '#lib/service/http/reports/portal-overview-reply.ts';
import { ownOverview } from '#lib/service/reports/exports/own-overview.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => overviewReply(await ownOverview(deps, account)),
});

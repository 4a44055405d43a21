import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { rejectApplication } from '#lib/service/programs/joining/decide-application.ts';
import { withCounts } from '#lib/service/reports/lists/list-partners.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
export const handler = dashboardEndpoint({
  needs: 'program',
  // The counters are read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) =>
    withCounts(deps, program, await partnerOf(deps, program.id, numericIdOf(path.partner_id)), { mayChange: true }),
  input: ({ json }) => parseBody(Reason, json()).reason,
  run: async (deps, { program, role }, reason, found) =>
    partnerReply(
      { ...found, partner: await rejectApplication(deps, program.id, found.partner.id, reason) },
      deps.now,
      role,
    ),
});

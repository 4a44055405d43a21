import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutFilesReply } from '#lib/service/http/earnings/payout-file-reply.ts';
import { payableStatus } from '#lib/service/http/earnings/payout-file-request.ts';
import { listFiles } from '#lib/service/earnings/files/export-payout.ts';
import { payoutOf } from '#lib/service/earnings/payouts/read-payouts.ts';

/** Shows which files a payout has. This needs no recent sign-in, because no payout details are shown. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: payableStatus,
  run: async (deps, { program }, status, payout) => payoutFilesReply(await listFiles(deps, program, payout, status)),
});

import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { payoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import { withItsClaims } from '#lib/service/use-cases/pay-out.ts';
import { payoutOf, referToPayout, withCommissions } from '#lib/service/use-cases/read-payouts.ts';
import { PayoutReference } from '#lib/wire/requests/payout-reference.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: ({ json }) => parseBody(PayoutReference, json()).reference,
  async run(deps, _, reference, payout) {
    const referred = await referToPayout(deps, payout, reference);
    return payoutReply(await withCommissions(deps, await withItsClaims(deps, referred)));
  },
});

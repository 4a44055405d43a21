import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { listedPayoutReply, payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { payoutOf, referToPayout, withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';
import { PayoutReference } from '#lib/wire/earnings/payout-reference-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: ({ json }) => ({
    reference: parseBody(PayoutReference, json()).reference,
    seen: seenIn(json(), Object.keys(PayoutReference.shape)),
  }),
  async run(deps, _, { reference, seen }, payout) {
    const compare = comparedWith(seen, (present: Payout) => listedPayoutReply({ payout: present, items: [] }));
    const referred = await referToPayout(deps, payout, reference, compare);
    return payoutReply(await withCommissions(deps, referred));
  },
});

import { numericIdOf } from '#lib/domain/identifier.ts';
import type { Payout } from '#lib/domain/payout.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { listedPayoutReply, payoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import { comparedWith, seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { withItsClaims } from '#lib/service/use-cases/pay-out.ts';
import { payoutOf, referToPayout, withCommissions } from '#lib/service/use-cases/read-payouts.ts';
import { PayoutReference } from '#lib/wire/requests/payout-reference.ts';

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
    return payoutReply(await withCommissions(deps, await withItsClaims(deps, referred)));
  },
});

import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { changedLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { endsLines, lineChange } from '#lib/service/http/earnings/payout-line-request.ts';
import { changeLines } from '#lib/service/earnings/lines/change-lines.ts';
import { payoutOf } from '#lib/service/earnings/payouts/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  // A recent sign-in is needed only to mark lines as failed or void, because their amounts are then due again. Other
  // marks move no money.
  recentSignIn: { when: ({ sent }) => endsLines(sent.json()) },
  input: ({ json }) => lineChange(json()),
  async run(deps, { program, account }, { ids, ...change }, payout, textOf) {
    const by = { ...change, actor: `account:${account.id}`, at: deps.now } as const;
    const changed = await changeLines(deps, program, payout, ids, by);
    return changed.map((one) => changedLineReply(one, textOf));
  },
});

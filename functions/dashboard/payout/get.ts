import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { ownerOnly } from '#lib/service/ground/values/refusals.ts';
import { dashboardEndpoint, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutCsv, payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { exportPayout } from '#lib/service/earnings/payouts/payout-to-pay.ts';
import { payoutOf, withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';

const FILE = /\.csv$/;

/** Replies with a payout. For an id with the suffix `.csv`, replies with the payout's file, which only owners get. */
export const handler = dashboardEndpoint({
  needs: 'program',
  subject: async (deps, { program }, { payout_id: id = '' }) => ({
    payout: await payoutOf(deps, program.id, numericIdOf(id.replace(FILE, ''))),
    isFile: FILE.test(id),
  }),
  // A member needs no recent sign-in, because only owners can get the file.
  recentSignIn: { when: ({ caller, subject }) => subject.isFile && caller.role === 'owner' },
  input: () => undefined,
  async run(deps, { role, program }, _, { payout, isFile }) {
    if (!isFile) return payoutReply(await withCommissions(deps, payout));
    if (role !== 'owner') throw ownerOnly();
    return new TextFile(
      `payout-${payout.id}.csv`,
      'text/csv; charset=utf-8',
      payoutCsv(await exportPayout(deps, program, payout)),
    );
  },
});

import { numericIdOf } from '#lib/domain/identifier.ts';
import { ownerOnly } from '#lib/domain/refusals.ts';
import { dashboardEndpoint, TextFile } from '#lib/service/triggers/http/account-endpoint.ts';
import { payoutCsv, payoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import { exportPayout } from '#lib/service/use-cases/payout-to-pay.ts';
import { withItsClaims } from '#lib/service/use-cases/pay-out.ts';
import { payoutOf, withCommissions } from '#lib/service/use-cases/read-payouts.ts';

const FILE = /\.csv$/;

/** A payout; with `.csv` behind its id the file, which holds how partners are paid and is for owners. */
export const handler = dashboardEndpoint({
  needs: 'program',
  subject: async (deps, { program }, { payout_id: id = '' }) => ({
    payout: await payoutOf(deps, program.id, numericIdOf(id.replace(FILE, ''))),
    isFile: FILE.test(id),
  }),
  // Of those who may have the file at all.
  recentSignIn: { when: ({ caller, subject }) => subject.isFile && caller.role === 'owner' },
  input: () => undefined,
  async run(deps, { role, program }, _, { payout, isFile }) {
    if (!isFile) return payoutReply(await withCommissions(deps, await withItsClaims(deps, payout)));
    if (role !== 'owner') throw ownerOnly();
    return new TextFile(
      `payout-${payout.id}.csv`,
      'text/csv; charset=utf-8',
      payoutCsv(await exportPayout(deps, program, payout)),
    );
  },
});

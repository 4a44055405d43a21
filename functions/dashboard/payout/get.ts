import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { ownerOnly } from '#lib/service/ground/values/refusals.ts';
import { dashboardEndpoint, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutCsv } from '#lib/service/http/earnings/payout-csv.ts';
import { bankFileReply } from '#lib/service/http/earnings/payout-file-reply.ts';
import { fileChoice, payoutFile } from '#lib/service/http/earnings/payout-file-request.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { exportForBank, exportPayout } from '#lib/service/earnings/files/export-payout.ts';
import { payoutOf, withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';

/** Replies with a payout. For an id with a suffix such as `.csv`, replies with a file of the payout, which only owners get. */
export const handler = dashboardEndpoint({
  needs: 'program',
  subject: async (deps, { program, role }, { payout_id: name = '' }) => {
    const { id, format } = payoutFile(name);
    const payout = await payoutOf(deps, program.id, numericIdOf(id));
    if (format && role !== 'owner') throw ownerOnly();
    return { payout, format };
  },
  recentSignIn: { when: ({ subject }) => subject.format !== undefined },
  input: (sent, _, { currencies }) => ({
    query: sent.query,
    choice: fileChoice(sent, payoutFile(sent.path['payout_id'] ?? '').format, currencies),
  }),
  async run(deps, { program }, { query, choice }, { payout, format }) {
    if (format === undefined) return payoutReply(await withCommissions(deps, payout));
    if (format === 'csv') {
      const text = await exportPayout(deps, program, payout, choice, (lines) => payoutCsv(payout, lines));
      return new TextFile(`payout-${payout.id}.csv`, 'text/csv; charset=utf-8', markedText(query, text));
    }
    const file = await exportForBank(deps, program, payout, format, choice);
    return bankFileReply(format, file, program, { now: deps.now, query });
  },
});

import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { grantCommission } from '#lib/service/earnings/commissions/grant-commission.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { manualCommission } from '#lib/wire/earnings/manual-commission-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input({ json }, _, { currencies }) {
    const {
      amount_cents: cents,
      deduction,
      external_id: externalId,
      ...grant
    } = parseBody(manualCommission(currencies), json());
    return { ...grant, amountCents: deduction ? -cents : cents, externalId: externalId ?? undefined };
  },
  async run(deps, { account }, grant, partner) {
    const commission = await grantCommission(deps, partner, grant, `account:${account.id}`);
    return commissionReply({ commission: { ...commission, payoutStatus: undefined }, partner });
  },
});

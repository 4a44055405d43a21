import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { grantCommission } from '#lib/service/use-cases/grant-commission.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';
import { manualCommission } from '#lib/wire/requests/manual-commission.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input({ json }, _, { currencies }) {
    const { amount_cents: amountCents, currency, reason } = parseBody(manualCommission(currencies), json());
    return { amountCents, currency, reason };
  },
  async run(deps, { account }, grant, partner) {
    const commission = await grantCommission(deps, partner, grant, `account:${account.id}`);
    return commissionReply({ commission, partner });
  },
});

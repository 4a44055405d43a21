import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { owedReply } from '#lib/service/triggers/http/replies/payout.ts';
import { tellOwed } from '#lib/service/use-cases/tell-owed.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program, account }) => owedReply(await tellOwed(deps, program.id, `account:${account.id}`)),
});

import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { owedReply } from '#lib/http/replies/payout.ts';
import { tellOwed } from '#lib/use-cases/tell-owed.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program, account }) => owedReply(await tellOwed(deps, program.id, `account:${account.id}`)),
});

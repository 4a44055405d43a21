import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { processorReply } from '#lib/service/triggers/http/replies/processor.ts';
import { deauthorized } from '#lib/service/processors/stripe/connect.ts';
import { disconnect } from '#lib/service/use-cases/processor-connection.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  input: () => undefined,
  async run(deps, { program }) {
    const left = await disconnect(deps, program.id, (accountId) => deauthorized(deps, accountId));
    const isAsked = left.deauthorized !== undefined;
    return { ...processorReply(left, deps.config), ...(isAsked && { deauthorized: left.deauthorized }) };
  },
});

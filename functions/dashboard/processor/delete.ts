import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { processorReply } from '#lib/service/http/conversions/processor-reply.ts';
import { deauthorized } from '#lib/service/conversions/stripe/connect.ts';
import { disconnect } from '#lib/service/conversions/processors/processor-connection.ts';

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

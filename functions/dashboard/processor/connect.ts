import { Body, dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { connectCookie } from '#lib/service/triggers/http/requests/processor.ts';
import { connectUrl } from '#lib/service/processors/stripe/connect.ts';
import { beginConnect } from '#lib/service/use-cases/connect-processor.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  // It has no fields, but what is sent must be JSON.
  input: ({ json }) => json(),
  async run(deps, { account, program, token }) {
    const who = { accountId: account.id, programId: program.id, token };
    const { url, state } = await beginConnect(deps, who, (begun) => connectUrl(deps, begun));
    return new Body({ data: { url } }, { cookies: [connectCookie(state, deps.config.baseUrl)] });
  },
});

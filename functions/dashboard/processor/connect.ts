import { Body, dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { connectCookie } from '#lib/service/http/conversions/processor-request.ts';
import { connectUrl } from '#lib/service/conversions/stripe/connect.ts';
import { beginConnect } from '#lib/service/conversions/processors/connect-processor.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  // The request has no fields, but if it has a body, this must be valid JSON.
  input: ({ json }) => json(),
  async run(deps, { account, program, token }) {
    const who = { accountId: account.id, programId: program.id, token };
    const { url, state } = await beginConnect(deps, who, (begun) => connectUrl(deps, begun));
    return new Body({ data: { url } }, { cookies: [connectCookie(state, deps.config.baseUrl)] });
  },
});

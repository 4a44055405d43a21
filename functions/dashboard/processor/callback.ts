import { dashboardEndpoint, Redirect } from '#lib/service/http/callers/account-endpoint.ts';
import { connectReturn } from '#lib/service/http/conversions/processor-request.ts';
import { exchangeCode } from '#lib/service/conversions/stripe/connect.ts';
import { completeConnect } from '#lib/service/conversions/processors/connect-processor.ts';

/** Receives a browser that returns from the processor's pages, and always redirects the browser to the dashboard. */
export const handler = dashboardEndpoint({
  needs: 'anyone',
  input: connectReturn,
  async run(deps, _nobody, returned) {
    const { programId, problem } = await completeConnect(deps, returned, (code) => exchangeCode(deps, code));
    const page = programId === undefined ? '/' : `/programs/${programId}/settings`;
    const outcome = problem ? `error&reason=${problem}` : 'connected';
    return new Redirect(`${deps.config.dashboardUrl}${page}?processor=${outcome}`);
  },
});

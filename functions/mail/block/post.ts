import { rateLimits } from '#lib/domain/rate-limits.ts';
import { formEndpoint } from '#lib/service/triggers/http/form-endpoint.ts';
import { blockDone } from '#lib/service/triggers/http/replies/refusal-page.ts';
import { blockSender } from '#lib/service/use-cases/block-sender.ts';

/** The button of the page. */
export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  async run(deps, { token = '' }) {
    await blockSender(deps, token);
    return blockDone;
  },
});

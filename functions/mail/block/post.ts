import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { formEndpoint } from '#lib/service/http/callers/form-endpoint.ts';
import { blockDone } from '#lib/service/http/programs/refusal-page-reply.ts';
import { blockSender } from '#lib/service/programs/invitations/block-sender.ts';

/** Handles the button of the page that blocks a sender. */
export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  async run(deps, { token = '' }) {
    await blockSender(deps, token);
    return blockDone;
  },
});

import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { formEndpoint } from '#lib/service/http/callers/form-endpoint.ts';
import { refusalDone } from '#lib/service/http/programs/refusal-page-reply.ts';
import { refuseMail } from '#lib/service/outbox/mail/refuse-mail.ts';

/** Handles a mail program's one-click unsubscribe and the button on the page. */
export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  async run(deps, { token = '' }) {
    await refuseMail(deps, token);
    return refusalDone;
  },
});

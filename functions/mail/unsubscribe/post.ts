import { rateLimits } from '#lib/domain/rate-limits.ts';
import { formEndpoint } from '#lib/service/triggers/http/form-endpoint.ts';
import { refusalDone } from '#lib/service/triggers/http/replies/refusal-page.ts';
import { refuseMail } from '#lib/service/use-cases/refuse-mail.ts';

/** One click of a mail program, or the button of the page. */
export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  async run(deps, { token = '' }) {
    await refuseMail(deps, token);
    return refusalDone;
  },
});

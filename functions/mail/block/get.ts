import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { formEndpoint } from '#lib/service/http/callers/form-endpoint.ts';
import { blockForm } from '#lib/service/http/programs/refusal-page-reply.ts';

export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  run: () => blockForm,
});

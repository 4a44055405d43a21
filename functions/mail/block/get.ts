import { rateLimits } from '#lib/domain/rate-limits.ts';
import { formEndpoint } from '#lib/service/triggers/http/form-endpoint.ts';
import { blockForm } from '#lib/service/triggers/http/replies/refusal-page.ts';

export const handler = formEndpoint({
  limit: rateLimits.mailRefusal,
  errors: { failure: 'Request failed', namesRequest: true },
  run: () => blockForm,
});

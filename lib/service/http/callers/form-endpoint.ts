import type { RateLimit } from '#lib/service/ground/values/rate-limits.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { EndpointErrors } from '#lib/service/http/messages/envelope.ts';
import { createHandler, type Handler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { styleHash } from '#lib/service/http/programs/refusal-page-reply.ts';

/** A small page without scripts that people can use without signing in. */
export interface FormEndpoint {
  readonly limit: RateLimit;
  readonly errors: EndpointErrors;
  /** Renders the page. @returns the page's HTML */
  readonly run: (deps: Deps, query: Readonly<Record<string, string | undefined>>) => string | Promise<string>;
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The page's address contains a token, which the browser must not send to other sites.
  'Referrer-Policy': 'no-referrer',
};

export const formEndpoint = ({ limit, errors, run }: FormEndpoint): Handler =>
  createHandler({
    middlewares: [rateLimit(() => limit)],
    errors,
    run: async ({ deps, event }) => ({
      statusCode: 200,
      headers: { ...headers },
      text: await run(deps, event.queryStringParameters ?? {}),
    }),
  });

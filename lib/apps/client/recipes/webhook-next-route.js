import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

/**
 * Receives webhooks in a route handler of Next.js, `app/hooks/route.js`, or of anything else that speaks Request and
 * Response: `export const POST = webhookRoute({ secret: process.env.SERVICE_WEBHOOK_SECRET, handle });`
 * @param shop as in the recipe for Express, without `express`
 */
export const webhookRoute =
  ({ secret, handle, report = console.error }) =>
  async (request) => {
    try {
      // Not request.json(): the signature is that of the text that arrives.
      await handle(verifyWebhook(await request.text(), request.headers, secret));
      return new Response(null, { status: 204 });
    } catch (error) {
      report(error);
      // The service sends the event again after any answer but 2xx.
      return new Response(null, { status: error instanceof WebhookVerificationError ? 400 : 500 });
    }
  };

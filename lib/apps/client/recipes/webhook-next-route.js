import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

/**
 * Receives webhooks in a Next.js route handler, `app/hooks/route.js`, or in any other framework with Request and
 * Response: `export const POST = webhookRoute({ secret: process.env.SERVICE_WEBHOOK_SECRET, handle });`
 * @param shop as in the recipe for Express, without `express`
 */
export const webhookRoute =
  ({ secret, handle, report = console.error }) =>
  async (request) => {
    try {
      // The raw text is verified instead of request.json(), because the signature covers the text as received.
      await handle(verifyWebhook(await request.text(), request.headers, secret));
      return new Response(null, { status: 204 });
    } catch (error) {
      report(error);
      // The service sends the event again after any response but 2xx.
      return new Response(null, { status: error instanceof WebhookVerificationError ? 400 : 500 });
    }
  };

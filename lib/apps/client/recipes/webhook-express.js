import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

/**
 * Receives webhooks in an Express application. Add it before any `app.use(express.json())`: the signature is that of the
 * bytes that arrive, and whoever parses them first leaves none.
 * @param app the application
 * @param shop.express the framework, for its `raw()`
 * @param shop.secret of the webhook endpoint, `whsec_…`; a list of both while one takes the place of another
 * @param shop.handle does what an event asks for, and keeps its id: one that it knows it passes over
 * @param shop.report hears of requests that are no webhooks
 */
export function addWebhook(app, { express, secret, handle, report = console.error }) {
  app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {
    try {
      await handle(verifyWebhook(request.body, request.headers, secret));
      response.sendStatus(204);
    } catch (error) {
      report(error);
      // The service sends the event again after any answer but 2xx.
      response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500);
    }
  });
}

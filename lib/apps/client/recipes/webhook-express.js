import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

/**
 * Receives webhooks in an Express application. Add it before any `app.use(express.json())`: the signature covers the
 * bytes as received, which parsing consumes.
 * @param app the application
 * @param shop.express the framework, for its `raw()`
 * @param shop.secret of the webhook endpoint, `whsec_…`; a list of both during a rotation
 * @param shop.handle processes an event and stores its id; it must ignore ids that it has stored
 * @param shop.report is called for requests that are not valid webhooks
 */
export function addWebhook(app, { express, secret, handle, report = console.error }) {
  app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {
    try {
      await handle(verifyWebhook(request.body, request.headers, secret));
      response.sendStatus(204);
    } catch (error) {
      report(error);
      // The service sends the event again after any response but 2xx.
      response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500);
    }
  });
}

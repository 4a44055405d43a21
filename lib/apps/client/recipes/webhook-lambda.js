import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

/**
 * Receives webhooks in AWS Lambda, behind a function URL or an API Gateway of either kind:
 * `export const handler = webhookHandler({ secret: process.env.SERVICE_WEBHOOK_SECRET, handle });`
 * @param shop as in the recipe for Express, without `express`
 */
export const webhookHandler =
  ({ secret, handle, report = console.error }) =>
  async ({ headers, body, isBase64Encoded }) => {
    try {
      const arrived = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
      await handle(verifyWebhook(arrived, headers, secret));
      return { statusCode: 204 };
    } catch (error) {
      report(error);
      // The service sends the event again after any response but 2xx.
      return { statusCode: error instanceof WebhookVerificationError ? 400 : 500 };
    }
  };

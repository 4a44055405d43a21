import { hmacSha256, joined } from '#lib/apps/client/webhooks/hmac-sha256.ts';

// In the standard "Standard Webhooks", a secret is this prefix and a key in base64. The key signs `id.timestamp.body`.

const PREFIX = 'whsec_';

/** The key in the secret of a webhook endpoint. @returns undefined for a text that is not a valid secret */
export function keyOfSecret(secret: string): Uint8Array | undefined {
  try {
    const key = Uint8Array.from(atob(secret.replace(PREFIX, '')), (letter) => letter.charCodeAt(0));
    return key.length > 0 ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Computes the signature header of a webhook request: `v1,` and the signature in base64.
 * @param timestamp in seconds, as in the request's header
 */
export function webhookSignature(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  return `v1,${btoa(String.fromCharCode(...hmacSha256(key, signed)))}`;
}

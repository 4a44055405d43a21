import { missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { SigningSecret } from '#lib/wire/requests/signing-secret.ts';

/** @throws Refusal */
export function signingSecretBody(json: Json): string {
  if (json.signing_secret === undefined) throw missingFields(['signing_secret']);
  return parseBody(SigningSecret, json).signing_secret;
}

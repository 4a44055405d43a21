import { emailOf } from '#lib/service/ground/addresses/email.ts';
import { eventTexts } from '#lib/service/ground/values/event-texts.ts';
import { identifierOf, numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { sentAddress } from '#lib/service/traffic/clicks/landing-address.ts';
import type { LeadRequest } from '#lib/service/conversions/leads/record-lead.ts';
import type { TestEventRequest } from '#lib/service/reports/trial/record-test-event.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { checkNames } from '#lib/service/http/messages/check-names.ts';
import { additionalDataOf, isTestMode, namedPrograms } from '#lib/service/http/programs/test-mode-request.ts';
import { leadNames } from '#lib/wire/words/field-names-request.ts';

const LONGEST_NAME = 255;
const LONGEST_TEXT = 2_048;
const MOST_CLICK_IDS = 20;

/**
 * The body of a lead. A field with an invalid value is treated as if it was not sent. Only identifiers are an
 * exception: the service distinguishes an invalid one from a missing one.
 */
export type LeadBody = { readonly test: TestEventRequest } | { readonly lead: LeadRequest };

/**
 * The body of a lead.
 * @param isKeyed false for a page's script, which may send any fields; a server gets a warning about misspelt ones
 * @throws Refusal
 */
export function leadBody(json: Json, isKeyed: boolean): LeadBody {
  if (isKeyed) checkNames(json, leadNames);
  const textOf = eventTexts();
  const lead: LeadRequest = {
    clickId: identifierOf(json.click_id),
    customerKey: identifierOf(json.customer_key),
    email: emailOf(json.email),
    isEmailVerified: isVerified(json.email_verified),
    programId: numericIdOf(json.program_id),
    eventName: textOf(json.event_name ?? additionalDataOf(json).event_name, LONGEST_NAME),
    pageUrl: textOf(sentAddress(json.page_url), LONGEST_TEXT),
    sessionId: textOf(json.session_id, LONGEST_TEXT),
    otherClickIds: clickIdsOf(json.click_ids, textOf),
  };
  if (!isTestMode(json)) return { lead };
  const { email: _, isEmailVerified: __, programId: ___, ...fields } = lead;
  return { test: { type: 'lead', fields, ...namedPrograms(json) } };
}

/** Whether the e-mail address is verified; undefined if not sent. Any value but `true` means not verified. */
const isVerified = (sent: unknown): boolean | undefined =>
  sent === undefined || sent === null ? undefined : sent === true;

/** Further click ids in the body, which are stored for audits only. */
const clickIdsOf = (value: unknown, textOf: ReturnType<typeof eventTexts>): readonly string[] | undefined =>
  Array.isArray(value)
    ? value
        .filter((id) => typeof id === 'string')
        .slice(0, MOST_CLICK_IDS)
        .flatMap((id) => textOf(id, LONGEST_NAME) || [])
    : undefined;

import type * as z from 'zod/mini';
import type { PartnerTermsChange } from '#lib/domain/agreements.ts';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { termsIn } from '#lib/service/triggers/http/requests/terms.ts';
import { PartnerChange } from '#lib/wire/requests/partner.ts';

/** What cannot be an id is the id of no group. */
const NO_GROUP = 0;

/** Of which null takes the value away. */
export const CLEARABLE = ['group_id', 'terms'];

/** Who is paid, and by which terms, is the owner's. */
export const OWNER_FIELDS = ['email', 'group_id', 'terms'];

/** The change of a partner. Nothing to change is refused, as it was while only the status could. @throws Refusal */
export function partnerChange(json: Json): z.output<typeof PartnerChange> & PartnerTermsChange {
  const { group_id: groupId, terms } = json;
  const change = {
    ...parseBody(PartnerChange, json),
    ...(groupId !== undefined && { groupId: groupId === null ? null : (numericIdOf(groupId) ?? NO_GROUP) }),
    ...(terms !== undefined && { terms: terms === null ? null : termsIn(terms) }),
  };
  if (Object.keys(change).length === 0) throw missingFields(['status']);
  return change;
}

/** What the caller saw of the fields that it changes, by the parts of the change. @throws Refusal */
export const seenPartner = (json: Json) => ({
  status: seenIn(json, ['status']),
  person: seenIn(json, ['name', 'email']),
  terms: seenIn(json, CLEARABLE),
});

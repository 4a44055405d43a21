import type * as z from 'zod/mini';
import type { PartnerTermsChange } from '#lib/service/programs/terms/agreements.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { missingFields } from '#lib/service/ground/values/refusals.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { seenIn } from '#lib/service/http/messages/seen-request.ts';
import { termsIn } from '#lib/service/http/programs/terms-request.ts';
import { PartnerChange, Wishes } from '#lib/wire/partners/partner-request.ts';

/** The group id that is used instead of an invalid one. No group has it. */
const NO_GROUP = 0;

/** The names of the link and the code that a new partner should get. @throws Refusal */
export function wishesIn(json: Json): Pick<Partner, 'wishedLink' | 'wishedCode'> {
  const { short_link: wishedLink, code: wishedCode } = parseBody(Wishes, json);
  return { wishedLink, wishedCode };
}

/** The id of the group that was sent; undefined if none was sent. */
export const sentGroupId = (sent: unknown): number | undefined =>
  sent === undefined ? undefined : (numericIdOf(sent) ?? NO_GROUP);

/** The group that was sent, by id or name; undefined if none was sent. */
export const sentGroup = (sent: unknown): number | string | undefined =>
  typeof sent === 'string' ? sent : sentGroupId(sent);

/** Fields that the caller can remove by sending null. */
export const CLEARABLE = ['group_id', 'terms'];

/** Fields that only owners may change, because they decide who is paid, and by which terms. */
export const OWNER_FIELDS = ['email', 'group_id', 'terms'];

/**
 * The change of a partner. The message for an empty change mentions only the status, because once only the status could
 * be changed.
 * @throws Refusal for an invalid or empty change
 */
export function partnerChange(json: Json): z.output<typeof PartnerChange> & PartnerTermsChange {
  const { group_id: groupId, terms } = json;
  const change = {
    ...parseBody(PartnerChange, json),
    ...(groupId !== undefined && { groupId: groupId === null ? null : sentGroupId(groupId) }),
    ...(terms !== undefined && { terms: terms === null ? null : termsIn(terms) }),
  };
  if (Object.keys(change).length === 0) throw missingFields(['status']);
  return change;
}

/** The values that the caller last read for the changed fields, grouped by the parts of the change. @throws Refusal */
export const seenPartner = (json: Json) => ({
  status: seenIn(json, ['status']),
  person: seenIn(json, ['name', 'email']),
  terms: seenIn(json, CLEARABLE),
});

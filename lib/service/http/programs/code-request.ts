import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { missingFields } from '#lib/service/ground/values/refusals.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import type { CodeChange } from '#lib/service/programs/links/change-code.ts';
import type { NewCode } from '#lib/service/programs/links/create-code.ts';
import { CodeChangeFields, CodeFields, REQUIRED_CODE_FIELDS } from '#lib/wire/programs/codes/code-request.ts';

/** The fields of a new code. @throws Refusal */
export function newCode(json: Json): NewCode {
  if (REQUIRED_CODE_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_CODE_FIELDS);
  const { code, processor_code_id: processorCodeId, discount } = parseBody(CodeFields, json);
  return { partnerId: numericIdOf(json.partner_id), code, processorCodeId, discount: discountOf(discount) };
}

const discountOf = (sent: string | null | undefined): string | undefined => sent?.trim() || undefined;

/** The change of a code; an empty change is refused. @throws Refusal */
export function codeChange(json: Json): CodeChange {
  const { status, processor_code_id: processorCodeId, discount } = parseBody(CodeChangeFields, json);
  if ([status, processorCodeId, discount].every((sent) => sent === undefined)) throw missingFields(['status']);
  return {
    ...(status && { status }),
    ...(processorCodeId !== undefined && { processorCodeId }),
    ...(discount !== undefined && { discount: discountOf(discount) }),
  };
}

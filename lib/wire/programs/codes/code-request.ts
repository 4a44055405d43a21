import * as z from 'zod/mini';
import { CODE, codeStatuses, isCode, isProcessorCodeId, LONGEST_DISCOUNT } from '#lib/service/programs/links/code.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { chosenFrom, longText } from '#lib/wire/words/fields-request.ts';

export const CODE_INVALID = 'code must be 3 to 64 letters, digits, - or _';
export const DISCOUNT_INVALID = `discount must be a string of at most ${LONGEST_DISCOUNT} characters`;
export const PROCESSOR_CODE_INVALID = 'processor_code_id must start with promo_';
export const REQUIRED_CODE_FIELDS = ['partner_id', 'code'] as const;

const processorCodeId = z.optional(
  z
    .string(PROCESSOR_CODE_INVALID)
    .check(z.refine(isProcessorCodeId, outOfBounds(PROCESSOR_CODE_INVALID, { pattern: '^promo_' }))),
);

export const codeField = z
  .string(CODE_INVALID)
  .check(z.refine(isCode, outOfBounds(CODE_INVALID, { pattern: CODE.source })));

/** The text of a discount. An empty text, or null in a change, means that there is no discount. */
const discount = z.nullish(longText(LONGEST_DISCOUNT, DISCOUNT_INVALID));

/** The fields of a new code other than its partner. */
export const CodeFields = z.object({
  code: codeField,
  processor_code_id: processorCodeId,
  discount,
});

export const CodeChangeFields = z.object({
  status: z.optional(chosenFrom('status', codeStatuses)),
  processor_code_id: processorCodeId,
  discount,
});

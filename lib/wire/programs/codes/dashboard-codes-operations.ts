import * as z from 'zod/mini';
import { codeStatuses } from '#lib/service/programs/links/code.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { Code } from '#lib/wire/programs/codes/code.ts';
import { about, id, text } from '#lib/wire/words/fields.ts';
import { ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { ofProgram, pageRefusals } from '#lib/wire/document/dashboard-operations.ts';
import { inPath, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import {
  CODE_INVALID,
  CodeChangeFields,
  CodeFields,
  DISCOUNT_INVALID,
  PROCESSOR_CODE_INVALID,
  REQUIRED_CODE_FIELDS,
} from '#lib/wire/programs/codes/code-request.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const family = ofProgram('programs');
const processorCode = (schema: z.ZodMiniType) =>
  about("The id of Stripe's promotion code. Only one code of the program may have it.", z.nullish(schema));

const discount = about('What the buyer gets. Empty or null: nothing is said.', CodeFields.shape.discount);

export const codeRoutes = {
  'dashboard/codes/get': operation(family, {
    id: 'listCodes',
    summary: 'List the coupon codes',
    description: 'Oldest first.',
    parameters: [programId, ...page, inQuery('partner_id', 'Only the codes of this partner.', id)],
    ok: [listOf(Code)],
    refusals: pageRefusals,
  }),
  'dashboard/codes/post': operation(family, {
    id: 'createCode',
    summary: 'Create a coupon code for a partner',
    parameters: [programId],
    body: z.object({
      partner_id: id,
      code: about('Unique in the program, regardless of upper and lower case.', CodeFields.shape.code),
      processor_code_id: processorCode(CodeFields.shape.processor_code_id),
      discount,
    }),
    ok: [data(Code)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(REQUIRED_CODE_FIELDS),
      refusals.badRequest(CODE_INVALID),
      refusals.badRequest(PROCESSOR_CODE_INVALID),
      refusals.badRequest(DISCOUNT_INVALID),
      refusals.partnerNotFound(),
      refusals.noRelationWithPartner(),
      refusals.codeTaken(),
      refusals.processorCodeTaken(),
      refusals.programPaused(),
    ],
  }),
  'dashboard/code/patch': operation(family, {
    id: 'changeCode',
    summary: 'Change a coupon code',
    description: 'Send at least one field. Only the fields sent are changed.',
    parameters: [programId, inPath('code', 'The code, in upper or lower case.', text)],
    body: z.object({
      status: z.nullish(CodeChangeFields.shape.status),
      processor_code_id: processorCode(CodeChangeFields.shape.processor_code_id),
      discount,
      seen,
    }),
    ok: [data(Code)],
    refusals: [
      refusals.codeNotFound(),
      ...bodyRefusals,
      refusals.missingFields(['status']),
      refusals.notOneOf('status', ANY_TEXT, codeStatuses),
      refusals.badRequest(PROCESSOR_CODE_INVALID),
      refusals.badRequest(DISCOUNT_INVALID),
      ...seenRefusals,
      refusals.processorCodeTaken(),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;

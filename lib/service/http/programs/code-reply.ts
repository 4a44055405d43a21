import type { CountedCode } from '#lib/service/reports/lists/list-codes.ts';
import type * as wire from '#lib/wire/programs/codes/code.ts';

/** A partner's coupon code, with its counters, which may lag some seconds behind the sales. */
export const codeReply = ({ code, partner, redemptions, sales }: CountedCode): wire.Code => ({
  code: code.code,
  partner_id: code.partnerId,
  partner_name: partner?.name ?? null,
  status: code.status,
  processor_code_id: code.processorCodeId ?? null,
  discount: code.discount ?? null,
  redemptions,
  sales,
  created_at: code.createdAt,
});

import { type Code, isCode } from '#lib/service/programs/links/code.ts';
import type { PaymentDiscount, ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import { findCode, findCodeByProcessorId } from '#lib/service/programs/links/codes-items.ts';
import {
  findDiscount,
  findPromotionCode,
  isPromotionCode,
  type UnknownCode,
} from '#lib/service/conversions/processors/processor-codes-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * The coupon code of the program that a payment contains or, if it contains none, its discounts whose promotion code is
 * still unknown.
 */
export interface PaymentCode {
  readonly code?: Code;
  readonly unknown: readonly UnknownCode[];
}

export const NO_CODE: PaymentCode = { unknown: [] };

/**
 * Returns the first of a payment's discounts that is a coupon code of the program.
 * @param scope within which the processor's ids of promotion codes are unique
 */
export async function codeOfPayment(
  table: Table,
  { discounts = [] }: Pick<ProcessorPayment, 'discounts'>,
  programId: number,
  scope: string | undefined,
): Promise<PaymentCode> {
  if (scope === undefined) return NO_CODE;
  const found = await Promise.all(discounts.map((discount) => codeOfDiscount(table, discount, programId, scope)));
  const code = found.find((one) => one !== undefined && 'programId' in one);
  return code ? { code, unknown: [] } : { unknown: found.filter((one) => one !== undefined && 'isDiscount' in one) };
}

/**
 * Returns the program's coupon code that belongs to a discount, or the code or discount of the processor that is still
 * unknown. Undefined if the discount has no promotion code.
 */
async function codeOfDiscount(
  table: Table,
  discount: PaymentDiscount,
  programId: number,
  scope: string,
): Promise<Code | UnknownCode | undefined> {
  let { id } = discount;
  if (!isPromotionCode(discount)) {
    const known = await findDiscount(table, scope, id);
    if (!known) return { id, isDiscount: true };
    if (known.promotionCodeId === undefined) return undefined;
    id = known.promotionCodeId;
  }
  const [named, promotionCode] = await Promise.all([
    findCodeByProcessorId(table, programId, id),
    findPromotionCode(table, scope, id),
  ]);
  const text = promotionCode?.code ?? (isCode(discount.text ?? '') ? discount.text : undefined);
  const code = named ?? (await findCode(table, programId, text));
  return code ?? { id, isDiscount: false, text, isTextNew: text !== undefined && !promotionCode };
}

import { MOST_DISCOUNTS, type PaymentDiscount } from '#lib/service/conversions/processors/processor-event.ts';
import { type Fields, fields, idOf, idsOf, list } from '#lib/service/conversions/stripe/event-fields.ts';

/**
 * All discounts of an invoice: its own, and those of its subscription and its line items. Each is an id or an expanded
 * object.
 */
export const invoiceDiscounts = (invoiceObject: Fields): readonly unknown[] => [
  ...(Array.isArray(invoiceObject.discounts) ? invoiceObject.discounts : []),
  // Older API versions have this field instead of `discounts`.
  invoiceObject.discount,
  ...list(invoiceObject.total_discount_amounts).map(({ discount }) => discount),
];

/**
 * The discounts of a payment by which promotion codes can be found.
 * @param sent discount objects or ids of discounts
 * @returns undefined if none of them can have a promotion code
 */
export function discountsOf(sent: readonly unknown[]): readonly PaymentDiscount[] | undefined {
  const found = sent.flatMap((discount): PaymentDiscount[] => {
    const { promotion_code: code } = fields(discount);
    const id = idOf(code);
    if (id !== undefined) return [{ id, ...textOfCode(code) }];
    // An expanded discount shows its promotion code, if it has one. A discount of which only the id is known may have a
    // promotion code.
    return typeof discount === 'string' ? idsOf(discount).map((one) => ({ id: one })) : [];
  });
  const byId = new Map(found.toReversed().map((discount) => [discount.id, discount]));
  const discounts = [...byId.values()].toReversed().slice(0, MOST_DISCOUNTS);
  return discounts.length > 0 ? discounts : undefined;
}

function textOfCode(promotionCodeSent: unknown): { text?: string } {
  const { code } = fields(promotionCodeSent);
  return typeof code === 'string' ? { text: code } : {};
}

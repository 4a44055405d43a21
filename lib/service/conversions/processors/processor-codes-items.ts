import { codeName } from '#lib/service/programs/links/code.ts';
import { waitingForgottenAtSeconds } from '#lib/service/programs/program/processor.ts';
import type { PaymentDiscount } from '#lib/service/conversions/processors/processor-event.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// The card processor's promotion codes and discounts, in the scope of the account or program that received them.

interface PromotionCode {
  readonly code: string;
}

/** A stored discount, with its promotion code if it has one. */
interface Discount {
  readonly promotionCodeId?: string;
}

export const findPromotionCode = (table: Table, scope: string, id: string): Promise<PromotionCode | undefined> =>
  table.get<PromotionCode>(keys.promotionCode(scope, id));

export const findDiscount = (table: Table, scope: string, id: string): Promise<Discount | undefined> =>
  table.get<Discount>(keys.discount(scope, id));

/** Writes that store the text of a promotion code and list it by that text. The text never changes. */
export const promotionCodeWrites = (scope: string, id: string, code: string): Write[] => [
  { name: 'promotionCode', key: keys.promotionCode(scope, id), put: { code } satisfies PromotionCode },
  { name: 'promotionCodeOfText', key: keys.promotionCodeOfText(scope, codeName(code), id), put: {} },
];

export const discountWrite = (scope: string, id: string, promotionCodeId: string | undefined): Write => ({
  name: 'discount',
  key: keys.discount(scope, id),
  put: { promotionCodeId } satisfies Discount,
});

/** The processor's promotion codes with this text. */
export async function promotionCodesOfText(table: Table, scope: string, text: string): Promise<string[]> {
  const listed = await table.query<Key>(keys.promotionCodeOfText(scope, codeName(text), '').pk);
  return listed.map(({ sk }) => sk);
}

/** A discount whose promotion code is not stored yet. */
export interface UnknownCode {
  /** Id of the promotion code, or of the discount if the event does not contain the promotion code's id. */
  readonly id: string;
  readonly isDiscount: boolean;
  /** Text of the promotion code. Undefined if the event does not contain it. */
  readonly text?: string;
  /** Set if the text comes from the payment itself. */
  readonly isTextNew?: boolean;
}

/** A payment that waits for a code. */
interface Waiting {
  readonly programId: number;
  readonly scope: string;
  readonly eventId: string;
  readonly cameInAt: Date;
}

/**
 * Writes that make a payment wait for a promotion code. They fail if the code was written first. This request then
 * reloads and finds the code. A new code is always stored before the payments that wait for it are looked up, so none
 * is missed.
 */
export const waitForCodeWrites = (
  { programId, scope, eventId, cameInAt }: Waiting,
  { id, isDiscount, text, isTextNew = false }: UnknownCode,
): Write[] => [
  {
    name: 'waitingForCode',
    key: keys.waitingForCode(programId, id, cameInAt.toISOString(), sha256(eventId)),
    put: { eventId, expires_at: waitingForgottenAtSeconds(cameInAt) },
  },
  stillUnknown(isDiscount ? keys.discount(scope, id) : keys.processorCode(programId, id)),
  ...(isDiscount || text !== undefined ? [] : [stillUnknown(keys.promotionCode(scope, id))]),
  ...(text === undefined ? [] : [stillUnknown(keys.code(programId, codeName(text)))]),
  // Stores the code's text. If an owner later adds a coupon code with this text, this payment is found by it.
  ...(isTextNew && text !== undefined ? promotionCodeWrites(scope, id, text) : []),
];

const stillUnknown = (key: Key): Write => ({ name: 'unknownCode', key, check: true, condition: { isNew: true } });

/** The entry of a payment that waits for a promotion code or discount. */
export interface WaitingPayment extends Key {
  readonly eventId: string;
  /** The time of expiry in seconds since 1970. DynamoDB may remove the entry later than that. */
  readonly expires_at: number;
}

/** Payments that wait for a promotion code or discount, oldest first. */
export const paymentsWaitingFor = (
  table: Table,
  programId: number,
  id: string,
  { most, after }: { readonly most: number; readonly after?: string },
): Promise<WaitingPayment[]> =>
  table.query<WaitingPayment>(keys.waitingForCode(programId, id, '', '').pk, { most, after });

/** Whether the id is that of a promotion code rather than of a discount. */
export const isPromotionCode = ({ id }: PaymentDiscount): boolean => id.startsWith('promo_');

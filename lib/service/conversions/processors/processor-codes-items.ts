import { codeName } from '#lib/service/programs/links/code.ts';
import { waitingForgottenAtSeconds } from '#lib/service/programs/program/processor.ts';
import type { PaymentDiscount } from '#lib/service/conversions/processors/processor-event.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// What the card processor told of its promotion codes, in the scope of the account or program that it told it to.

interface PromotionCode {
  readonly code: string;
}

/** Of a discount without promotion code there is none. */
interface Discount {
  readonly promotionCodeId?: string;
}

export const findPromotionCode = (table: Table, scope: string, id: string): Promise<PromotionCode | undefined> =>
  table.get<PromotionCode>(keys.promotionCode(scope, id));

export const findDiscount = (table: Table, scope: string, id: string): Promise<Discount | undefined> =>
  table.get<Discount>(keys.discount(scope, id));

/** Writes that keep the text of a promotion code, and list it under that text. Its text never changes. */
export const promotionCodeWrites = (scope: string, id: string, code: string): Write[] => [
  { name: 'promotionCode', key: keys.promotionCode(scope, id), put: { code } satisfies PromotionCode },
  { name: 'promotionCodeOfText', key: keys.promotionCodeOfText(scope, codeName(code), id), put: {} },
];

export const discountWrite = (scope: string, id: string, promotionCodeId: string | undefined): Write => ({
  name: 'discount',
  key: keys.discount(scope, id),
  put: { promotionCodeId } satisfies Discount,
});

/** The processor's promotion codes that have this text. */
export async function promotionCodesOfText(table: Table, scope: string, text: string): Promise<string[]> {
  const listed = await table.query<Key>(keys.promotionCodeOfText(scope, codeName(text), '').pk);
  return listed.map(({ sk }) => sk);
}

/** A discount whose code is not known yet. */
export interface UnknownCode {
  /** Of the promotion code, or of the discount if its promotion code is not known either. */
  readonly id: string;
  readonly isDiscount: boolean;
  /** Of the promotion code, where it is known. */
  readonly text?: string;
  /** The payment itself told the text. */
  readonly isTextNew?: boolean;
}

/** A payment that waits. */
interface Waiting {
  readonly programId: number;
  readonly scope: string;
  readonly eventId: string;
  readonly cameInAt: Date;
}

/**
 * Writes that let a payment wait until a code becomes known. They fail if that happens at this moment: whoever makes it
 * known looks for waiting payments afterwards.
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
  // An owner who adds the code finds the payment by it.
  ...(isTextNew && text !== undefined ? promotionCodeWrites(scope, id, text) : []),
];

const stillUnknown = (key: Key): Write => ({ name: 'unknownCode', key, check: true, condition: { isNew: true } });

/** A payment's place among those that wait for a promotion code or a discount. */
export interface WaitingPayment extends Key {
  readonly eventId: string;
  /** In unix seconds; it may still be there afterwards. */
  readonly expires_at: number;
}

/** Payments that wait for a promotion code or a discount, oldest first. */
export const paymentsWaitingFor = (
  table: Table,
  programId: number,
  id: string,
  { most, after }: { readonly most: number; readonly after?: string },
): Promise<WaitingPayment[]> =>
  table.query<WaitingPayment>(keys.waitingForCode(programId, id, '', '').pk, { most, after });

/** Whether a discount names its promotion code. */
export const isPromotionCode = ({ id }: PaymentDiscount): boolean => id.startsWith('promo_');

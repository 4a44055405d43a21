export const codeStatuses = ['active', 'disabled'] as const;
export const codePrecedences = ['link_first', 'code_first'] as const;
export type CodePrecedence = (typeof codePrecedences)[number];

/** A partner's coupon code, which attributes payments to the partner even without a click. It is never deleted. */
export interface Code {
  /** The code in the owner's spelling. */
  readonly code: string;
  readonly programId: number;
  readonly partnerId: number;
  readonly status: (typeof codeStatuses)[number];
  /** The card processor's id of the same code. */
  readonly processorCodeId?: string;
  /** The discount that buyers get, in the owner's words. */
  readonly discount?: string;
  readonly createdAt: string;
}

export const LONGEST_DISCOUNT = 100;

export const CODE = /^[\w-]{3,64}$/;
export const isCode = (text: string): boolean => CODE.test(text);

/** The form in which codes are compared. */
export const codeName = (text: string): string => text.toLowerCase();

const PROCESSOR_CODE = /^promo_\w{1,249}$/;
export const isProcessorCodeId = (text: string): boolean => PROCESSOR_CODE.test(text);

/** A coupon code as a buyer typed it; undefined for text that cannot be a code. */
export function codeOfText(sent: unknown): string | undefined {
  const text = typeof sent === 'string' ? sent.trim() : '';
  return isCode(text) ? text : undefined;
}

/** Whether a code still attributes payments to its partner. */
export const isOpen = (
  { status, partnerId }: Pick<Code, 'status' | 'partnerId'>,
  { removedPartnerIds }: { readonly removedPartnerIds: readonly number[] },
): boolean => status === 'active' && !removedPartnerIds.includes(partnerId);

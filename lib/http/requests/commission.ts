import { rejectionReasonMissing } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/http/call.ts';

const LONGEST_REASON = 500;

/** The reason of a rejection. @throws Refusal */
export function rejectionReason({ reason }: Json): string {
  const text = typeof reason === 'string' ? reason.trim().toWellFormed() : '';
  if (text === '' || text.length > LONGEST_REASON) throw rejectionReasonMissing();
  return text;
}

import * as z from 'zod/mini';
import { addressOf } from '#lib/domain/email.ts';
import { nameOf } from '#lib/domain/name.ts';
import { reasonMissing } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';

/** What a new program needs, by dashboard and CLI alike. */
export const REQUIRED_FIELDS = ['name', 'domain', 'commission_type', 'commission_rate'] as const;

/** What is said of a wrong field. */
export const fieldTexts = {
  name: 'name must be a string of 1 to 120 characters',
  email: 'email must be a valid e-mail address',
  rate: 'commission_rate must be a positive number',
};

/** A field that is read as something else; what cannot be read is refused with its text. */
export const readAs = <From extends z.ZodMiniType, To>(
  from: From,
  read: (sent: z.output<From>) => To | undefined,
  text: string,
) =>
  z.pipe(
    from,
    z.transform((sent: z.output<From>, { issues }) => {
      const value = read(sent);
      if (value !== undefined) return value;
      issues.push({ code: 'custom', message: text, input: sent });
      return z.NEVER;
    }),
  );

export const nameField = readAs(z.string(fieldTexts.name), nameOf, fieldTexts.name);

/** An address, trimmed and lower-cased. */
export const emailField = readAs(z.string(fieldTexts.email), addressOf, fieldTexts.email);

const LONGEST_REASON = 500;

/** The reason of a decision. @throws Refusal */
export function givenReason({ reason }: Json): string {
  const text = typeof reason === 'string' ? reason.trim().toWellFormed() : '';
  if (text === '' || text.length > LONGEST_REASON) throw reasonMissing();
  return text;
}

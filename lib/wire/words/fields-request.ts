import * as z from 'zod/mini';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { LONGEST_NAME, nameOf } from '#lib/service/ground/values/name.ts';
import { notOneOfText } from '#lib/service/ground/values/refusals.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';

/** A field whose value is converted. If it cannot be, the request is refused with the field's message. */
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

export const nameField = z.string(fieldTexts.name).check(
  z.refine(
    (sent) => nameOf(sent) !== undefined,
    outOfBounds(fieldTexts.name, { minLength: 1, maxLength: LONGEST_NAME }),
  ),
  z.trim(),
);

/** An e-mail address, which is trimmed and converted to lower case. */
export const emailField = readAs(z.string(fieldTexts.email), addressOf, fieldTexts.email);

/** A text that is trimmed before its length is checked. A text of spaces only is refused. */
export const trimmedText = (maxLength: number, text: string) =>
  z.string(text).check(
    z.overwrite((sent) => sent.trim().toWellFormed()),
    z.refine(({ length }) => length >= 1 && length <= maxLength, outOfBounds(text, { minLength: 1, maxLength })),
  );

/** A text that may be empty. */
export const longText = (maxLength: number, text: string) =>
  z.string(text).check(
    z.overwrite((sent) => sent.toWellFormed()),
    z.refine(({ length }) => length <= maxLength, outOfBounds(text, { maxLength })),
  );

/** A field with a fixed set of values. The refusal of another value quotes it. */
export const chosenFrom = <const Values extends readonly string[]>(field: string, values: Values) =>
  z.enum(values, { error: ({ input }) => notOneOfText(field, input, values) });

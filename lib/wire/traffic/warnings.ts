import * as z from 'zod/mini';
import { type WarningCode, warnings } from '#lib/service/ground/values/warnings.ts';
import { about, named, text } from '#lib/wire/words/fields.ts';
import { RotationWarning } from '#lib/wire/programs/rotation.ts';

const codes = Object.keys(warnings) as [WarningCode, ...WarningCode[]];

/** What an answer tells beside its result. */
export const Warning = named(
  'Warning',
  z.strictObject({
    code: z.enum(codes),
    message: text,
    hint: text,
    docs_url: about('The page that explains it.', text),
  }),
);
export type Warning = z.output<typeof Warning>;

/** Of a route that warns of what it was sent, beside that of its key. */
export const Warnings = named(
  'Warnings',
  z.array(z.union([RotationWarning, Warning])),
  'The key that was sent must be replaced by the deadline, or something that was sent probably is not what was meant.',
);

import * as z from 'zod/mini';
import { type WarningCode, warnings } from '#lib/service/ground/values/warnings.ts';
import { about, named, text } from '#lib/wire/words/fields.ts';
import { RotationWarning } from '#lib/wire/programs/rotation.ts';

const codes = Object.keys(warnings) as [WarningCode, ...WarningCode[]];

/** A warning next to the result of a reply. */
export const Warning = named(
  'Warning',
  z.strictObject({
    code: z.enum(codes),
    message: text,
    hint: text,
    docs_url: about('The page that explains the warning.', text),
  }),
);
export type Warning = z.output<typeof Warning>;

/** Warnings about the request, in addition to those about its key. */
export const Warnings = named(
  'Warnings',
  z.array(z.union([RotationWarning, Warning])),
  'Warnings that the key must be replaced before the deadline, or that a value in the request is probably a mistake.',
);

import * as z from 'zod/mini';
import { keyRetired } from '#lib/service/ground/values/refusals.ts';
import { retirementNotice, rotationWarning } from '#lib/service/programs/keys/key-rotation.ts';
import { named, text, time } from '#lib/wire/words/fields.ts';

const rotation = { markedAt: new Date(0), deadline: new Date(0) };
const sample = rotationWarning(rotation);
const notice = retirementNotice(rotation);

/** The message with a placeholder instead of the day, as the document shows it. */
const onAnyDay = (message: string): string => message.replace(/\d{4}-\d{2}-\d{2}/, '{day}');
const startOf = (message: string): RegExp => new RegExp(`^${message.split(/\d{4}/)[0]}`);

const warningOf = (message: string, hint: string) =>
  z.strictObject({
    code: z.literal(sample.code),
    message: z.string().check(z.regex(startOf(message))),
    hint: z.literal(hint),
    rotate_by: time,
    docs_url: text,
  });

export const RotationWarning = named('RotationWarning', warningOf(sample.message, sample.hint));

/** Warnings that are sent next to `success`, `data` or `error` in every reply to a key that must be replaced. */
export const RotationWarnings = named(
  'RotationWarnings',
  z.array(RotationWarning),
  'The key that was sent must be replaced before the deadline.',
);
export type RotationWarnings = z.output<typeof RotationWarnings>;

/** Warnings to owners about the program's key: that it must be replaced, or that it no longer works. */
export const OwnersWarnings = named(
  'OwnersWarnings',
  z.array(z.union([RotationWarning, warningOf(notice.message, notice.hint)])),
  "The program's key must be replaced, or is already retired.",
);
export type OwnersWarnings = z.output<typeof OwnersWarnings>;

/** The refusal of a key whose deadline is over. */
export const retiredKey = keyRetired({ ...notice, message: onAnyDay(notice.message), docsUrl: '{docs_url}' });

import * as z from 'zod/mini';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { nameOf } from '#lib/service/ground/values/name.ts';
import { LONGEST_DISPLAY_NAME, LONGEST_WELCOME } from '#lib/service/programs/brand/brand.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { readAs } from '#lib/wire/words/fields-request.ts';

export const brandTexts = {
  display_name: `display_name must be a string of 1 to ${LONGEST_DISPLAY_NAME} characters without @, / or :`,
  accent_color: 'accent_color must be a color such as #3b54d6',
  welcome: `welcome must be a string of at most ${LONGEST_WELCOME} characters`,
  contact_email: 'contact_email must be a valid e-mail address',
};

/**
 * Returns a brand's display name; undefined if it looks like an address, because mails show it as the name of their
 * sender.
 */
function displayNameOf(sent: string): string | undefined {
  const name = nameOf(sent);
  return name !== undefined && name.length <= LONGEST_DISPLAY_NAME && !/[@/:]/.test(name) ? name : undefined;
}

const colorOf = (sent: string): string | undefined => (/^#[0-9a-f]{6}$/i.test(sent) ? sent.toLowerCase() : undefined);

/** The texts of a brand. The route also accepts null and empty texts, which remove a value. */
export const BrandTexts = z.object({
  display_name: z.optional(readAs(z.string(brandTexts.display_name), displayNameOf, brandTexts.display_name)),
  accent_color: z.optional(readAs(z.string(brandTexts.accent_color), colorOf, brandTexts.accent_color)),
  welcome: z.optional(
    z.string(brandTexts.welcome).check(
      z.overwrite((sent) => sent.toWellFormed().replaceAll(/\r\n?/g, '\n').trim()),
      z.refine(
        ({ length }) => length <= LONGEST_WELCOME,
        outOfBounds(brandTexts.welcome, { maxLength: LONGEST_WELCOME }),
      ),
    ),
  ),
  contact_email: z.optional(readAs(z.string(brandTexts.contact_email), addressOf, brandTexts.contact_email)),
});

export const brandFields = Object.keys(BrandTexts.shape) as (keyof typeof BrandTexts.shape)[];

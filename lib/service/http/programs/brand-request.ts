import { logoInvalid } from '#lib/service/ground/values/refusals.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { type BrandChange, MOST_LOGO_BYTES, MOST_LOGO_PIXELS } from '#lib/service/programs/brand/brand.ts';
import type { NewLogo } from '#lib/service/programs/brand/change-logo.ts';
import { imageIn } from '#lib/service/programs/brand/image.ts';
import { brandFields, BrandTexts } from '#lib/wire/programs/brand/brand-request.ts';

/** The fields that were sent. Null or an empty text removes a value. @throws Refusal */
export function brandChange(json: Json): BrandChange {
  const removed = brandFields.filter((field) => json[field] === null || json[field] === '');
  const filled = Object.fromEntries(Object.entries(json).filter(([field]) => !removed.some((one) => one === field)));
  const sent: Partial<Record<(typeof brandFields)[number], string>> = {
    ...parseBody(BrandTexts, filled),
    ...Object.fromEntries(removed.map((field) => [field, ''])),
  };
  const change: Record<keyof BrandChange, string | undefined> = {
    displayName: sent.display_name,
    accentColor: sent.accent_color,
    welcome: sent.welcome,
    contactEmail: sent.contact_email,
  };
  return Object.fromEntries(Object.entries(change).filter(([, text]) => text !== undefined));
}

/** The uploaded file. @throws Refusal unless it is an image for a logo */
export function newLogo(content: Uint8Array): NewLogo {
  const image = content.length <= MOST_LOGO_BYTES ? imageIn(content) : undefined;
  if (!image || Math.max(image.width, image.height) > MOST_LOGO_PIXELS) throw logoInvalid();
  return { ...image, content };
}

import * as z from 'zod/mini';
import { logoTypes } from '#lib/service/programs/brand/brand.ts';
import { about, named, optionalText, optionalTime, text } from '#lib/wire/words/fields.ts';

const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/));

const Accent = z.nullable(
  named(
    'Accent',
    z.strictObject({ light: color, dark: color }),
    'The accent color in the light and in the dark theme, where text of this color has a contrast of at least 4.5.',
  ),
);

const side = z.int().check(z.gte(1), z.lte(4_096));

const Logo = named(
  'Logo',
  z.strictObject({
    url: about('Path and query on this installation. It changes with the file.', text),
    type: z.enum(logoTypes),
    bytes: z.int().check(z.gte(1), z.lte(204_800)),
    width: side,
    height: side,
  }),
);

export const Brand = named(
  'Brand',
  z.strictObject({
    display_name: about("Replaces the program's name on the pages of partners and in mails to them.", optionalText),
    accent_color: about('The color of buttons and links, as the owner entered it.', z.nullable(color)),
    accent: about('This color where it can be read in the theme, or the nearest one that can be.', Accent),
    welcome: about('A plain text with line breaks, for the page on which people join.', optionalText),
    contact_email: about('The address for questions of partners, which they see.', optionalText),
    logo: z.nullable(Logo),
    updated_at: optionalTime,
  }),
  'How a program presents itself to its partners. What is not set is null.',
);
export type Brand = z.output<typeof Brand>;

export const BrandShown = named(
  'BrandShown',
  z.strictObject({
    name: about("The display name, or else the program's name.", text),
    logo_url: about('Path and query on this installation.', optionalText),
    accent: Accent,
    welcome: optionalText,
    contact_email: optionalText,
  }),
  'The brand of a program as its partners see it.',
);
export type BrandShown = z.output<typeof BrandShown>;

/** The part of a program's brand that lists of programs show. */
export const BrandInList = named('BrandInList', z.pick(BrandShown, { name: true, logo_url: true, accent: true }));
export type BrandInList = z.output<typeof BrandInList>;

import type { Program } from '#lib/service/programs/program/program.ts';

/** The formats of logos, which browsers and mail programs show. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof logoTypes)[number];

export const MOST_LOGO_BYTES = 204_800;
export const MOST_LOGO_PIXELS = 4_096;

export const LONGEST_DISPLAY_NAME = 60;
export const LONGEST_WELCOME = 2_000;

/** The properties of a logo, without the file itself. */
export interface Logo {
  readonly type: LogoType;
  /** The size of the file. */
  readonly bytes: number;
  /** The width of the image in pixels. */
  readonly width: number;
  readonly height: number;
  /** Hash of the file, in hexadecimal digits. */
  readonly sha256: string;
}

/** A color for each theme, as `#` and six hexadecimal digits in lower case. */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** How a program presents itself to its partners. An absent field is not set. */
export interface Brand {
  readonly displayName?: string;
  /** The owner's color, as `#` and six hexadecimal digits in lower case. */
  readonly accentColor?: string;
  /** The owner's color, adjusted to each theme so that it is readable. */
  readonly accent?: Accent;
  /** The text that welcomes partners: plain text with line breaks. */
  readonly welcome?: string;
  readonly contactEmail?: string;
  readonly logo?: Logo;
  /** Incremented by every change. */
  readonly version: number;
  /** When the brand was last changed, ISO 8601. */
  readonly updatedAt: string;
  /** Name of the person who made the last change. */
  readonly changedBy?: string;
}

/** Texts to change; an empty one removes the value. */
export type BrandChange = Partial<Readonly<Record<'displayName' | 'accentColor' | 'welcome' | 'contactEmail', string>>>;

/** The brand of a program as pages and mails show it. */
export interface BrandShown {
  /** The display name, or else the program's name. */
  readonly name: string;
  /** Path and query of the logo on this installation. */
  readonly logoUrl?: string;
  readonly accent?: Accent;
  readonly welcome?: string;
  readonly contactEmail?: string;
}

export const shownBrand = (
  { id, name }: Pick<Program, 'id' | 'name'>,
  { displayName, logo, accent, welcome, contactEmail }: Partial<Brand> = {},
): BrandShown => ({
  name: displayName ?? name,
  logoUrl: logo && logoUrl(id, logo),
  accent,
  welcome,
  contactEmail,
});

/** The URL of a logo. A new file has a new URL, so caches never show a former logo. */
export const logoUrl = (programId: number, { sha256 }: Logo): string =>
  `/brand/${programId}/logo?v=${sha256.slice(0, 8)}`;

/** Whether everyone may see the brand. This is so after an owner has set a logo or a display name. */
export const isPublic = (brand: Brand | undefined): brand is Brand =>
  brand?.logo !== undefined || brand?.displayName !== undefined;

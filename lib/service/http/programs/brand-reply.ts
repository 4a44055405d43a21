import type { Reply } from '#lib/service/http/messages/request-context.ts';
import { type Brand, type BrandShown, logoUrl } from '#lib/service/programs/brand/brand.ts';
import type { LogoFile } from '#lib/service/programs/brand/brands-items.ts';
import type * as wire from '#lib/wire/programs/brand/brand.ts';

export function brandReply(programId: number, brand: Partial<Brand> = {}): wire.Brand {
  const { logo } = brand;
  return {
    display_name: brand.displayName ?? null,
    accent_color: brand.accentColor ?? null,
    accent: brand.accent ?? null,
    welcome: brand.welcome ?? null,
    contact_email: brand.contactEmail ?? null,
    logo: logo
      ? { url: logoUrl(programId, logo), type: logo.type, bytes: logo.bytes, width: logo.width, height: logo.height }
      : null,
    updated_at: brand.updatedAt ?? null,
  };
}

export const brandShownReply = (brand: BrandShown): wire.BrandShown => ({
  ...brandInListReply(brand),
  welcome: brand.welcome ?? null,
  contact_email: brand.contactEmail ?? null,
});

export const brandInListReply = ({ name, logoUrl: url, accent }: BrandShown): wire.BrandInList => ({
  name,
  logo_url: url ?? null,
  accent: accent ?? null,
});

const etagOf = (sha256: string): string => `"${sha256}"`;

/** Whether a browser already has the file with a hash. @param ifNoneMatch header of the request */
export const hasFile =
  (ifNoneMatch: string | undefined) =>
  (sha256: string): boolean =>
    (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(sha256));

/**
 * The reply with the file and its content type, which prevents browsers from treating it as a page or script; or a 304
 * if the caller already has the file.
 */
export function logoReply(logo: LogoFile | Pick<LogoFile, 'sha256'>): Reply {
  const headers = { 'Cache-Control': 'public, max-age=300', ETag: etagOf(logo.sha256) };
  if (!('content' in logo)) return { statusCode: 304, headers };
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'Content-Type': logo.type,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    bytes: logo.content,
  };
}

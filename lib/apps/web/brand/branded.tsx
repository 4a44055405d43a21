import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { BrandContext, type PageBrand } from '#lib/apps/web/brand/brand-context.ts';

interface BrandedProps {
  /** The brand of the pages: undefined for the product itself, null while the brand is being loaded. */
  readonly brand: PageBrand | null | undefined;
  readonly children: ComponentChildren;
}

/**
 * Shows pages with the name, logo and color of a brand. The brand has a color for the light and one for the dark theme;
 * the style sheet chooses between them.
 */
export function Branded({ brand, children }: BrandedProps) {
  const { accent, logo_url: logo } = brand ?? {};
  useLayoutEffect(() => (accent ? colorPage(accent) : undefined), [accent?.light, accent?.dark]);
  useLayoutEffect(() => (logo ? showIcon(logo) : undefined), [logo]);
  return <BrandContext.Provider value={brand}>{children}</BrandContext.Provider>;
}

/** Sets the colors of the page. @returns a function that removes them */
function colorPage({ light, dark }: NonNullable<PageBrand['accent']>): () => void {
  const { style } = document.documentElement;
  style.setProperty('--brand-light', light);
  style.setProperty('--brand-dark', dark);
  return () => {
    style.removeProperty('--brand-light');
    style.removeProperty('--brand-dark');
  };
}

/** Shows the logo as the icon of the browser tab. @returns a function that restores the product's icon */
function showIcon(logo: string): () => void {
  const usual = document.querySelector<HTMLLinkElement>('link[rel="icon"]')!;
  const icon = document.createElement('link');
  icon.rel = 'icon';
  icon.href = logo;
  usual.replaceWith(icon);
  return () => icon.replaceWith(usual);
}

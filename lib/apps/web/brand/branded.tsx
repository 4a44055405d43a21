import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { BrandContext, type PageBrand } from '#lib/apps/web/brand/brand-context.ts';

interface BrandedProps {
  /** Undefined for the product itself; null while the brand is being loaded. */
  readonly brand: PageBrand | null | undefined;
  readonly children: ComponentChildren;
}

/** Pages with a brand's name, logo and color. The style sheet chooses the color of the light or dark theme. */
export function Branded({ brand, children }: BrandedProps) {
  const { accent, logo_url: logo } = brand ?? {};
  useLayoutEffect(() => (accent ? colorPage(accent) : undefined), [accent?.light, accent?.dark]);
  useLayoutEffect(() => (logo ? showIcon(logo) : undefined), [logo]);
  return <BrandContext.Provider value={brand}>{children}</BrandContext.Provider>;
}

/** @returns a function that removes the colors */
function colorPage({ light, dark }: NonNullable<PageBrand['accent']>): () => void {
  const { style } = document.documentElement;
  style.setProperty('--brand-light', light);
  style.setProperty('--brand-dark', dark);
  return () => {
    style.removeProperty('--brand-light');
    style.removeProperty('--brand-dark');
  };
}

/** Shows a logo as the icon of the tab. @returns a function that restores the product's icon */
function showIcon(logo: string): () => void {
  const usual = document.querySelector<HTMLLinkElement>('link[rel="icon"]')!;
  const icon = document.createElement('link');
  icon.rel = 'icon';
  icon.href = logo;
  usual.replaceWith(icon);
  return () => icon.replaceWith(usual);
}

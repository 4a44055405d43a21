import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { InstallationContext } from '#lib/apps/web/api/installation-context.ts';
import type { BrandInList, BrandShown } from '#lib/wire/programs/brand/brand.ts';

/** The brand that pages show in place of the product. Lists of programs do not have its contact. */
export type PageBrand = BrandInList & Partial<Pick<BrandShown, 'contact_email'>>;

/** Undefined for pages of the product itself; null while the brand is being loaded. */
export const BrandContext = createContext<PageBrand | null | undefined>(undefined);

/** Sets the window's title: the page's title, and the name of the brand or product. */
export function usePageTitle(title: string): void {
  const brand = useContext(BrandContext);
  const product = useContext(InstallationContext)?.product_name;
  const name = brand === null ? undefined : (brand?.name ?? product);
  useEffect(() => {
    document.title = name === undefined ? title : `${title} – ${name}`;
  }, [title, name]);
}

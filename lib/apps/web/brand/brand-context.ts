import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { InstallationContext } from '#lib/apps/web/api/installation-context.ts';
import type { BrandInList, BrandShown } from '#lib/wire/programs/brand/brand.ts';

/** The brand whose name and logo pages show instead of the product's. In lists of programs, its contact is missing. */
export type PageBrand = BrandInList & Partial<Pick<BrandShown, 'contact_email'>>;

/** The brand of the page: undefined on pages of the product itself, null while the brand is being loaded. */
export const BrandContext = createContext<PageBrand | null | undefined>(undefined);

/** Sets the window's title: the given title, followed by the name of the brand or product. */
export function usePageTitle(title: string): void {
  const brand = useContext(BrandContext);
  const product = useContext(InstallationContext)?.product_name;
  const name = brand === null ? undefined : (brand?.name ?? product);
  useEffect(() => {
    document.title = name === undefined ? title : `${title} – ${name}`;
  }, [title, name]);
}

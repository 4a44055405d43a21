import { useContext } from 'preact/hooks';
import { InstallationContext } from '#lib/apps/web/api/installation-context.ts';
import { BrandContext } from '#lib/apps/web/brand/brand-context.ts';
import { Emblem } from '#lib/apps/web/brand/emblem.tsx';

/** Logo and name of the brand or, without a brand, of the product. Empty while the brand is being loaded. */
export function BrandMark() {
  const brand = useContext(BrandContext);
  const product = useContext(InstallationContext)?.product_name;
  if (brand) {
    return (
      <>
        <Emblem brand={brand} />
        <bdi>{brand.name}</bdi>
      </>
    );
  }
  if (brand === null || product === undefined) return null;
  return (
    <>
      <img src="/icon.svg" alt="" width="28" height="28" />
      {product}
    </>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { BrandInList } from '#lib/wire/programs/brand/brand.ts';

/**
 * The logo of a brand. A brand without logo gets the first letter of its name on its color. The full name is shown next
 * to it.
 */
export function Emblem({ brand: { name, logo_url: logo, accent } }: { readonly brand: BrandInList }) {
  const [isBroken, setBroken] = useState(false);
  useEffect(() => setBroken(false), [logo]);
  if (logo !== null && !isBroken) {
    return <img class="emblem" src={logo} alt="" height="28" onError={() => setBroken(true)} />;
  }
  // The style sheet chooses the color for the light or dark theme. Without these variables, it uses the color of the
  // page.
  const colors = accent && { '--brand-light': accent.light, '--brand-dark': accent.dark };
  return (
    <span class="emblem letter" aria-hidden="true" style={colors ?? undefined}>
      {String.fromCodePoint(name.codePointAt(0)!).toUpperCase()}
    </span>
  );
}

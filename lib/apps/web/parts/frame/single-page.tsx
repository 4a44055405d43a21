import type { ComponentChildren } from 'preact';
import { usePageTitle } from '#lib/apps/web/brand/brand-context.ts';
import { BrandContact } from '#lib/apps/web/brand/brand-contact.tsx';
import { BrandMark } from '#lib/apps/web/brand/brand-mark.tsx';

/** A page without navigation, which has a single purpose. */
export function SinglePage({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  usePageTitle(title);
  return (
    <main class="single">
      <p class="brand">
        <BrandMark />
      </p>
      <section class="card single-card">
        <h1>{title}</h1>
        {children}
      </section>
      <BrandContact />
    </main>
  );
}

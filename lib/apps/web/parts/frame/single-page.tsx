import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page outside the frame, with a single purpose. */
export function SinglePage({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Referrals`;
  }, [title]);
  return (
    <main class="single">
      <p class="brand">
        <img src="/icon.svg" alt="" width="28" height="28" />
        Referrals
      </p>
      <section class="card single-card">
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}

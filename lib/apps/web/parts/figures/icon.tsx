import type { IconNode } from 'lucide';
import { h } from 'preact';

/** A decorative icon. It has the colour and size of the text next to it. */
export const Icon = ({ of }: { readonly of: IconNode }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {of.map(([tag, attributes]) => h(tag, attributes))}
  </svg>
);

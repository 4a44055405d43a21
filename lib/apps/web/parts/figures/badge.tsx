import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'waiting' | 'bad' | 'plain';

/** Shows a status in one word. */
export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

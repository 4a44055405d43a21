import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** Advice on the next step. */
  readonly children?: ComponentChildren;
}

/** A text for a list that has no entries yet. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

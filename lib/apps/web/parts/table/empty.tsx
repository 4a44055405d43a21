import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** Advice on the next step. */
  readonly children?: ComponentChildren;
}

/** Shown if there is nothing yet. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

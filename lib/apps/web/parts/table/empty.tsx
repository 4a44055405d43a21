import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ComponentChildren;
}

/** There is nothing here yet. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

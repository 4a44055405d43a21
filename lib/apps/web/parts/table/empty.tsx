import { Inbox } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

interface EmptyProps {
  readonly title: string;
  /** Advice on the next step. */
  readonly children?: ComponentChildren;
}

/** A text for a list that has no entries yet. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <Icon of={Inbox} />
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

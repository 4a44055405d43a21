import { Inbox } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

interface EmptyProps {
  readonly title: string;
  /** Advice on what to do next. */
  readonly children?: ComponentChildren;
}

/** Says that a list has no entries. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <Icon of={Inbox} />
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

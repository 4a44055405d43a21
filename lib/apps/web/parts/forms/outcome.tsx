import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Says what an action has done. It takes the focus, because the button of the action is often gone, and so the browser
 * scrolls to it.
 */
export function Outcome({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => place.current!.focus(), []);
  return (
    <p ref={place} class="saved" role="status" tabIndex={-1}>
      {children}
    </p>
  );
}

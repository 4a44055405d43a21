import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Fitting {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly fits: boolean;
}

/**
 * Whether the content of an element fits into its width. The content is measured, because the width of columns depends
 * on names, amounts and currencies.
 * @param narrowest width of the window in pixels below which the content never counts as fitting
 */
export function useFits(narrowest = 0): Fitting {
  const place = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  const shownFits = useRef(fits);
  shownFits.current = fits;
  /** Width in pixels that the content needs in its wide form. */
  const needed = useRef(0);

  function measure(): void {
    const element = place.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    if (shownFits.current) needed.current = content.scrollWidth;
    setFits(needed.current <= element.clientWidth && innerWidth >= narrowest);
  }
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const resize = new ResizeObserver(measure);
    resize.observe(place.current!);
    // A newly loaded font changes the widths of columns, so the content is measured again. Only the wide form can be
    // measured, so it is rendered first.
    const measureAgain = () => (shownFits.current ? measure() : setFits(true));
    document.fonts.addEventListener('loadingdone', measureAgain);
    return () => {
      resize.disconnect();
      document.fonts.removeEventListener('loadingdone', measureAgain);
    };
  }, []);
  return { place, fits };
}

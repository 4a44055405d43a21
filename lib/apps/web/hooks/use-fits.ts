import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Fitting {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly fits: boolean;
}

/**
 * Whether an element's content fits into its width. It is measured, because the width of columns depends on names,
 * amounts and currencies.
 * @param narrowest width of the window in pixels below which the content does not fit in any case
 */
export function useFits(narrowest = 0): Fitting {
  const place = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  const shownFits = useRef(fits);
  shownFits.current = fits;
  /** Width of the content in its wide form, in pixels. */
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
    // A newly loaded font changes the widths of the columns. The wide form is then rendered again, to measure it.
    const measureAgain = () => (shownFits.current ? measure() : setFits(true));
    document.fonts.addEventListener('loadingdone', measureAgain);
    return () => {
      resize.disconnect();
      document.fonts.removeEventListener('loadingdone', measureAgain);
    };
  }, []);
  return { place, fits };
}

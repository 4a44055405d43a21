import { useEffect } from 'preact/hooks';

/** Asks again and again while the page is open and looked at. @param seconds undefined: not yet, or no more */
export function usePolled(ask: () => Promise<void>, seconds: number | undefined): void {
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void ask();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [ask, seconds]);
}

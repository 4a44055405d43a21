import { useEffect } from 'preact/hooks';

/** Asks again and again while the page is looked at, and at once when the person comes back to it. @param seconds undefined: not yet, or no more */
export function usePolled(ask: () => Promise<void>, seconds: number | undefined): void {
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const askWhenSeen = () => {
      if (!document.hidden) void ask();
    };
    const timer = setInterval(askWhenSeen, seconds * 1000);
    addEventListener('focus', askWhenSeen);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', askWhenSeen);
    };
  }, [ask, seconds]);
}

import { useEffect } from 'preact/hooks';

/** Polls while the page is visible, and at once when the person returns to it. @param seconds undefined: do not poll */
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

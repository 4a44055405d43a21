import { useEffect } from 'preact/hooks';

/** Asks repeatedly while the tab is visible, and when it becomes visible. @param seconds undefined to stop asking */
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

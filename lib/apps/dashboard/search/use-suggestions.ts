import { useEffect, useState } from 'preact/hooks';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

/** A search starts at this number of characters, when no key was pressed for this number of milliseconds. */
const LEAST_CHARACTERS = 2;
const PAUSE_MS = 200;

/** The results of a search, and the text that was searched for. */
export interface Suggestions {
  readonly text: string;
  readonly results: readonly SearchResult[];
  /** The message of the error, if the search failed. */
  readonly problem?: string;
}

/**
 * Searches while a person types; undefined for a text that is too short. Until the results for the present text arrive,
 * the former results stay. Replies for former texts are ignored.
 * @param path of the program in the API
 */
export function useSuggestions(path: string, text: string): Suggestions | undefined {
  const { api } = useSession();
  const [found, setFound] = useState<Suggestions>();
  const isAsked = Array.from(text).length >= LEAST_CHARACTERS;

  useEffect(() => {
    setFound((before) => (isAsked ? before : undefined));
    if (!isAsked) return undefined;
    let isLatest = true;
    const show = (now: Suggestions) => {
      if (isLatest) setFound(now);
    };
    const ask = () =>
      api.get<readonly SearchResult[]>(`${path}/search`, { q: text }).then(
        (results) => show({ text, results }),
        (error: Error) => show({ text, results: [], problem: error.message }),
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [api, path, text, isAsked]);
  return found;
}

const KEY = 'login_token';

/** Messages between the tabs of this origin. */
type Message =
  | { readonly kind: 'wanted' }
  | { readonly kind: 'signed-in'; readonly token: string; readonly isNew?: true }
  | { readonly kind: 'signed-out'; readonly token: string };

/** How long a new tab waits for another one to hand over its token; short, because both are in the same browser. */
const HANDOVER_MS = 200;

/** Callbacks for changes of the session in other tabs. */
export interface OtherTabs {
  readonly onSignedIn: (token: string) => void;
  /** Called if the person signs in elsewhere while this tab has a valid token. */
  readonly onSignedInAgain?: (token: string) => void;
  readonly onSignedOut: () => void;
  /** Returns the token to hand over; undefined if there is no valid token. */
  readonly current: () => string | undefined;
}

/**
 * The login token of this tab. It is never in a URL, a cookie or a storage that outlives the tab. A new tab gets it
 * from an open one.
 */
export const loginToken = {
  read: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  drop: (): void => sessionStorage.removeItem(KEY),

  /** Asks the other tabs for their token; undefined if no tab is signed in. */
  fromOtherTab: (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const end = (token?: string) => {
        clearTimeout(timer);
        ignore();
        resolve(token);
      };
      const timer = setTimeout(end, HANDOVER_MS);
      const ignore = listen((message) => {
        if (message.kind === 'signed-in') end(message.token);
      });
      loginToken.ask();
    }),

  /** Asks the other tabs for their token, without waiting. The answer comes to `share`. */
  ask: (): void => tell({ kind: 'wanted' }),

  /** Shares the session with the other tabs. @returns a function that stops sharing */
  share: ({ onSignedIn, onSignedInAgain, onSignedOut, current }: OtherTabs): (() => void) =>
    listen((message) => {
      const own = current();
      if (message.kind === 'wanted' && own !== undefined) tell({ kind: 'signed-in', token: own });
      if (message.kind === 'signed-in' && own === undefined) onSignedIn(message.token);
      if (message.kind === 'signed-in' && message.isNew && own !== undefined) onSignedInAgain?.(message.token);
      if (message.kind === 'signed-out' && message.token === own) onSignedOut();
    }),

  tellSignedIn: (token: string): void => tell({ kind: 'signed-in', token, isNew: true }),
  tellSignedOut: (token: string): void => tell({ kind: 'signed-out', token }),
};

/** A channel receives messages of other tabs but not its own. */
const channel = new BroadcastChannel('login');

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin only
const tell = (message: Message): void => channel.postMessage(message);

/** Listens for messages of other tabs. @returns a function that stops listening */
function listen(hear: (message: Message) => void): () => void {
  const onMessage = ({ data }: MessageEvent<Message>) => hear(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}

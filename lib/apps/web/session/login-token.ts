const KEY = 'login_token';

/** Messages that the tabs of this origin send to each other. */
type Message =
  | { readonly kind: 'wanted' }
  | { readonly kind: 'signed-in'; readonly token: string; readonly isNew?: true }
  | { readonly kind: 'signed-out'; readonly token: string };

/** How long a new tab waits for the token of another tab. The time is short, because both are in the same browser. */
const HANDOVER_MS = 200;

/** Called for changes of the session in other tabs. */
export interface OtherTabs {
  readonly onSignedIn: (token: string) => void;
  /** Called if the person signs in from another tab while this tab has a valid token. */
  readonly onSignedInAgain?: (token: string) => void;
  readonly onSignedOut: () => void;
  /** Returns the token of this tab, which other tabs may use; undefined if it has no valid one. */
  readonly current: () => string | undefined;
}

/**
 * The login token of this tab. It is stored only until the tab is closed, and is never in a URL or a cookie. A new tab
 * gets it from another open tab.
 */
export const loginToken = {
  read: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  drop: (): void => sessionStorage.removeItem(KEY),

  /** Asks the other tabs for their token and waits; undefined if none of them has one. */
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

  /** Asks the other tabs for their token and does not wait. An answer reaches the callbacks of `share`. */
  ask: (): void => tell({ kind: 'wanted' }),

  /** Answers other tabs that ask for the token, and reports their changes. @returns a function that stops both */
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

/** A BroadcastChannel delivers messages to the other tabs, but not to the tab that sent them. */
const channel = new BroadcastChannel('login');

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin only
const tell = (message: Message): void => channel.postMessage(message);

/** Calls a function with each message of another tab. @returns a function that stops that */
function listen(hear: (message: Message) => void): () => void {
  const onMessage = ({ data }: MessageEvent<Message>) => hear(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}

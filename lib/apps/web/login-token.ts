const KEY = 'login_token';

/** Between the tabs of this origin. */
type Message =
  | { readonly kind: 'wanted' }
  | { readonly kind: 'signed-in'; readonly token: string; readonly isNew?: true }
  | { readonly kind: 'signed-out'; readonly token: string };

/** How long a new tab waits for another one to hand over its token: they are in the same browser. */
const HANDOVER_MS = 200;

/** What became of the session in another tab. */
export interface OtherTabs {
  readonly onSignedIn: (token: string) => void;
  /** Somebody signs in while this tab has a token that is in force. */
  readonly onSignedInAgain?: (token: string) => void;
  readonly onSignedOut: () => void;
  /** The token to hand over; undefined when there is none that is in force. */
  readonly current: () => string | undefined;
}

/**
 * The login token of this tab. It is in no URL, no cookie and no storage that outlives the tab; a new tab gets it from
 * one that is open.
 */
export const loginToken = {
  read: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  drop: (): void => sessionStorage.removeItem(KEY),

  /** Asks the other tabs; undefined when none is signed in. */
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
      tell({ kind: 'wanted' });
    }),

  /** @returns ends it */
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

/** It hears what other tabs tell, not what it tells itself. */
const channel = new BroadcastChannel('login');

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin only
const tell = (message: Message): void => channel.postMessage(message);

/** @returns ends it */
function listen(hear: (message: Message) => void): () => void {
  const onMessage = ({ data }: MessageEvent<Message>) => hear(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}

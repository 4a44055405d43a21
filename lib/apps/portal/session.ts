import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { PortalMe } from '#lib/wire/partners/portal-program.ts';

/** The person who is signed in, with the programs in which the person is a partner. */
export interface PortalSession {
  readonly api: Api;
  readonly me: PortalMe;
  /** Loads all of it again after a change. */
  readonly reload: () => Promise<void>;
  /** Signs the person out. @param reason shown on the sign-in page */
  readonly signOut: (reason?: string) => Promise<void>;
}

export const SessionContext = createContext<PortalSession | undefined>(undefined);

/** The session of the person who is signed in. */
export const useSession = (): PortalSession => useContext(SessionContext)!;

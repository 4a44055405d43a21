import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api.ts';
import type { PortalMe } from '#lib/wire/partners/portal-program.ts';

/** Who is signed in, and of which programs they are a partner. */
export interface PortalSession {
  readonly api: Api;
  readonly me: PortalMe;
  /** Asks again, after something of it was changed. */
  readonly reload: () => Promise<void>;
  /** @param reason shown on the sign-in page */
  readonly signOut: (reason?: string) => Promise<void>;
}

export const SessionContext = createContext<PortalSession | undefined>(undefined);

/** Of the pages of somebody who is signed in. */
export const useSession = (): PortalSession => useContext(SessionContext)!;

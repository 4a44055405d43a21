import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { Me, OwnWorkspace } from '#lib/wire/people/people.ts';
import type { Program } from '#lib/wire/programs/program.ts';

/** The account that is signed in, with its workspace, its programs and the settings of the installation. */
export interface Session {
  readonly api: Api;
  readonly me: Me;
  readonly programs: readonly Program[];
  /** Loads all of it again after a change. */
  readonly reload: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

/** The session of an account that has a workspace. */
export interface MemberSession extends Session {
  readonly workspace: OwnWorkspace;
  readonly isOwner: boolean;
}

export const SessionContext = createContext<MemberSession | undefined>(undefined);

/** The session, for pages that only members of a workspace see. */
export const useSession = (): MemberSession => useContext(SessionContext)!;

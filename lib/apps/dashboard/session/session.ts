import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { Me, OwnWorkspace } from '#lib/wire/people/people.ts';
import type { Program } from '#lib/wire/programs/program.ts';

/** The signed-in account and its workspace, programs and installation. */
export interface Session {
  readonly api: Api;
  readonly me: Me;
  readonly programs: readonly Program[];
  /** Loads everything again after a change. */
  readonly reload: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

/** A session of an account with a workspace. */
export interface MemberSession extends Session {
  readonly workspace: OwnWorkspace;
  readonly isOwner: boolean;
}

export const SessionContext = createContext<MemberSession | undefined>(undefined);

/** Context of the pages inside the frame. */
export const useSession = (): MemberSession => useContext(SessionContext)!;

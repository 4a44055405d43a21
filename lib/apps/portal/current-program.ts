import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { PartnerPage } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';

/** The program whose pages are open. */
export interface CurrentProgram {
  readonly program: PortalProgram;
  readonly api: Api;
  /** Path of the program's routes in the API. */
  readonly path: string;
  /** False for an owner who views the partner's pages, and for a partner who left. */
  readonly mayChange: boolean;
  /** True until the newest terms are accepted; the service then rejects every other change. */
  readonly mustAccept: boolean;
  /** True if an owner is viewing the partner's pages. */
  readonly isOwnersView: boolean;
  /** The address of a page of the program. @param of id or name of the page's subject, if the path contains one */
  readonly addressOf: (page: PartnerPage, of?: string | number) => string;
  readonly reload: () => Promise<void>;
}

export const CurrentProgramContext = createContext<CurrentProgram | undefined>(undefined);

/** The program of pages below `/partner/programs/{id}`. */
export const useProgram = (): CurrentProgram => useContext(CurrentProgramContext)!;

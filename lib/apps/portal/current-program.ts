import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api.ts';
import type { PartnerPage } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';

/** The program whose pages are open. */
export interface CurrentProgram {
  readonly program: PortalProgram;
  readonly api: Api;
  /** Path of its routes in the API. */
  readonly path: string;
  /** The partner may change something; an owner who looks on, or a partner who left, may not. */
  readonly mayChange: boolean;
  /** Until the newest terms are accepted, the service refuses every other change. */
  readonly mustAccept: boolean;
  /** An owner looks on as the partner. */
  readonly isOwnersView: boolean;
  /** The address of one of its pages. @param of what the page is about, when its path names it */
  readonly addressOf: (page: PartnerPage, of?: string | number) => string;
  readonly reload: () => Promise<void>;
}

export const CurrentProgramContext = createContext<CurrentProgram | undefined>(undefined);

/** Of the pages below `/partner/programs/{id}`. */
export const useProgram = (): CurrentProgram => useContext(CurrentProgramContext)!;

import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { OwnFigures } from '#lib/apps/portal/home/own-figures.tsx';
import { ProgramHead } from '#lib/apps/portal/home/program-head.tsx';
import { LinkAddress } from '#lib/apps/portal/links/link-address.tsx';
import { partnerPath } from '#lib/apps/portal/static/page-paths.ts';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';
import type { ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

interface ActiveProgramProps {
  readonly program: JoinedProgram;
  /** Undefined while it is loaded, and for programs that the service's overview does not contain. */
  readonly figures: ProgramFigures | undefined;
}

/** The card of a program in which the person is a partner, with what the person earns there. */
export const ActiveProgram = ({ program, figures }: ActiveProgramProps) => (
  <li class="card program-card">
    <ProgramHead program={program} href={partnerPath('overview', program.program_id)} />
    {program.terms_to_accept !== null && (
      <p>
        <a href={partnerPath('terms', program.program_id)} aria-label={`Read the new terms of ${program.brand.name}`}>
          Read the new terms
        </a>{' '}
        <span class="muted">and accept them.</span>
      </p>
    )}
    {figures && <OwnFigures of={figures} />}
    {figures?.link && (
      <p class="link-line">
        <LinkAddress url={figures.link.url} />
        <CopyButton text={figures.link.url} what={`your link of ${program.brand.name}`} />
      </p>
    )}
  </li>
);

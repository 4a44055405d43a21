import type { ComponentChildren } from 'preact';
import { Emblem } from '#lib/apps/web/brand/emblem.tsx';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';

interface ProgramHeadProps {
  readonly program: JoinedProgram;
  /** The URL of the program's first page, if the person may see that page. */
  readonly href?: string;
  /** The person's status. */
  readonly badge?: ComponentChildren;
}

/** Logo and name of a program, on the program's card. */
export const ProgramHead = ({ program: { brand, domain, sandbox }, href, badge }: ProgramHeadProps) => (
  <div class="program-head">
    <Emblem brand={brand} />
    <div>
      <h3>{href === undefined ? <bdi>{brand.name}</bdi> : <a href={href}>{<bdi>{brand.name}</bdi>}</a>}</h3>
      <p class="muted">{domain}</p>
    </div>
    {(badge || sandbox) && (
      <p class="program-badges">
        {badge} {sandbox && <Badge>Sandbox</Badge>}
      </p>
    )}
  </div>
);

import type { ComponentChildren } from 'preact';
import { Emblem } from '#lib/apps/web/brand/emblem.tsx';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';

interface ProgramHeadProps {
  readonly program: JoinedProgram;
  /** The address of the program's first page; undefined if the person may not see that page. */
  readonly href?: string;
  /** Shows the person's status in the program. */
  readonly badge?: ComponentChildren;
}

/** Shows the program's logo and name on its card. */
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

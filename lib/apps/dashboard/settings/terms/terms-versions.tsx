import { useEffect, useRef } from 'preact/hooks';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import type { SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { offerText } from '#lib/apps/web/terms-texts.ts';
import type { ListedTerms } from '#lib/wire/programs/terms.ts';

/** All versions of the terms of the program, its groups and its partners, newest first. */
export function TermsVersions({ id, title }: SectionHeading) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const pages = usePages<ListedTerms>(api, `${path}/terms`);
  const shownFor = useRef(program);
  // The program is loaded again when its terms or those of a group were changed.
  useEffect(() => {
    if (shownFor.current !== program) void pages.reload();
    shownFor.current = program;
  }, [program]);
  return (
    <section class="versions" id={id} aria-labelledby={`${id}-title`}>
      <div class="section-header">
        <h2 id={`${id}-title`}>{title}</h2>
      </div>
      <p class="hint list-note">
        What was offered from when to when, newest first: by the program, to groups, and to single partners. A
        commission names the version by which it is paid.
      </p>
      <PagedTable
        label={title}
        pages={pages}
        keyOf={({ version }) => version}
        columns={[
          { title: 'Terms of', cell: (terms) => <Holder of={terms} /> },
          { title: 'Offer', cell: ({ terms }) => <span class="sentence">{offerText(terms, program.currency)}</span> },
          { title: 'Since', cell: ({ effective_at: at }) => <At at={at} /> },
          {
            title: 'Until',
            cell: ({ status, ended_at: at }) =>
              status === 'in_force' ? <Badge tone="good">In force</Badge> : <At at={at} />,
          },
          { title: 'Changed by', cell: ({ created_by: by }) => <Author of={by} /> },
        ]}
        empty={<Empty title="No terms yet" />}
      />
    </section>
  );
}

/** Whose terms they are. */
function Holder({ of: { from, id, name, version } }: { readonly of: ListedTerms }) {
  return (
    <>
      {from === 'program' && 'Program'}
      {from === 'group' && (
        <>
          Group <bdi>{name ?? id}</bdi>
        </>
      )}
      {from === 'partner' && (id === null ? 'A partner' : <PartnerLink id={id} name={name} />)}
      <div class="muted">Version {version}</div>
    </>
  );
}

const At = ({ at }: { readonly at: string | null }) =>
  at === null ? <span class="muted">Not recorded</span> : <Minute at={at} />;

const Author = ({ of: by }: { readonly of: ListedTerms['created_by'] }) =>
  by === null ? (
    <span class="muted">–</span>
  ) : (
    <>
      <bdi>{by.name}</bdi>
      {by.email !== null && <div class="muted whole">{by.email}</div>}
    </>
  );

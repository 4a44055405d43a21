import type { ComponentChildren } from 'preact';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { searchPath } from '#lib/apps/dashboard/lists/query-paths.ts';

interface UnknownProps {
  readonly title: string;
  /** The identifier that the address contains. */
  readonly name: string;
  readonly children: ComponentChildren;
  /** Links to pages on which the person may find what is missing. */
  readonly ways: ComponentChildren;
}

/**
 * The page for an address that names something which the program does not have. It offers no retry, which would not
 * help, but links.
 */
export function Unknown({ title, name, children, ways }: UnknownProps) {
  const { program } = useProgram();
  return (
    <Page title={title}>
      <div class="card">
        <div class="empty">
          <p>{children}</p>
          <div class="notice-links">
            {name !== '' && <a href={searchPath(program.id, name)}>Search for it</a>}
            {ways}
          </div>
        </div>
      </div>
    </Page>
  );
}

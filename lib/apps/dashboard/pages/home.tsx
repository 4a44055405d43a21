import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { lastProgram } from '#lib/apps/dashboard/session/last-program.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { pagePaths, programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { processorFailureText } from '#lib/apps/dashboard/program/processor-failures.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

/** Redirects to the program that was open last or, without one, to the first program. */
export function HomePage() {
  const { programs } = useSession();
  const { query, route } = useLocation();
  const failure = query.processor === 'error' ? processorFailureText(query.reason) : undefined;
  const program = programs.find(({ id }) => id === lastProgram.read()) ?? programs[0];

  useEffect(() => {
    if (failure === undefined) route(program ? programPath('overview', program.id) : pagePaths.newProgram, true);
  }, []);

  if (failure === undefined) return null;
  return (
    <Page title="The processor was not connected">
      <div class="failure" role="alert">
        <p>{failure}</p>
      </div>
      <a class="button" href={program ? sectionPath(program.id, 'processor') : pagePaths.newProgram}>
        {program ? 'To the settings' : 'Create a program'}
      </a>
    </Page>
  );
}

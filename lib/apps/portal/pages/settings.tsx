import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { apiAt } from '#lib/apps/web/api/api.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import { Devices } from '#lib/apps/web/parts/figures/devices.tsx';
import { Outcome } from '#lib/apps/web/parts/forms/outcome.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Section } from '#lib/apps/web/parts/frame/section.tsx';
import { wholeExport } from '#lib/apps/portal/settings/whole-export.ts';
import { saveFile } from '#lib/apps/web/api/save-file.ts';
import { useSession } from '#lib/apps/portal/session.ts';
import { CloseAccountSection } from '#lib/apps/portal/settings/close-account.tsx';
import { DeleteDetailsSection } from '#lib/apps/portal/settings/delete-details.tsx';
import { LeaveProgram } from '#lib/apps/portal/settings/leave-program.tsx';
import { MailSection } from '#lib/apps/portal/settings/mail-section.tsx';

/** The settings of the account. They apply to all programs. */
export const SettingsPage = () => (
  <Page title="Settings">
    <div class="stack">
      <MailSection />
      <ExportSection />
      <DevicesSection />
      <ProgramsSection />
      <DeleteDetailsSection />
      <CloseAccountSection />
    </div>
  </Page>
);

function ExportSection() {
  const { api } = useSession();
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const save = useAction(async () => {
    const person = await wholeExport(api, leaving.current.signal);
    if (leaving.current.signal.aborted) return;
    saveFile(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }), 'partner-data.json');
  });
  return (
    <Section
      id="export"
      title="Your data"
      intro="Your account, programs, links, codes, commissions, payouts and customers in one file. Each of these lists has at most 10,000 rows of a program. The page of a program's commissions also exports those as a CSV file."
    >
      <button type="button" class="button" aria-disabled={save.isPending} onClick={save.run}>
        {save.isPending ? 'One moment…' : 'Save as a file'}
      </button>
      {save.error && <Failure error={save.error} />}
    </Section>
  );
}

/**
 * Lists where the person is signed in. The list comes from the dashboard's API, because the portal and the dashboard
 * share their sessions.
 */
function DevicesSection() {
  const api = useMemo(
    () =>
      apiAt(
        '/api/dashboard/v1',
        () => loginToken.read() ?? '',
        () => {},
      ),
    [],
  );
  return <Devices api={api} />;
}

function ProgramsSection() {
  const { me } = useSession();
  const programs = me.programs.filter(({ status }) => status === 'active');
  const [left, setLeft] = useState<string>();
  return (
    <Section id="programs" title="Leave a program" intro="What you have earned stays yours.">
      {programs.length === 0 ? (
        <p class="muted">You are a partner of no program.</p>
      ) : (
        <ul class="plain-list leave-list">
          {programs.map((program) => (
            <li key={program.program_id}>
              <bdi>{program.name}</bdi> <LeaveProgram program={program} onLeft={() => setLeft(program.name)} />
            </li>
          ))}
        </ul>
      )}
      {left !== undefined && <Outcome key={left}>You left {left}.</Outcome>}
    </Section>
  );
}

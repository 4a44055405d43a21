import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { commissionText, countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePolled } from '#lib/apps/dashboard/hooks/use-polled.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { ApiKey } from '#lib/apps/dashboard/parts/program/api-key.tsx';
import { IgnoreMyAddress } from '#lib/apps/dashboard/parts/ignore-my-address.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { type SetupProgress, setupProgress, type SetupStepName } from '#lib/apps/dashboard/setup/setup-progress.ts';
import { SetupStep } from '#lib/apps/dashboard/setup/setup-step.tsx';
import { ClickStep, LeadStep, SaleStep } from '#lib/apps/dashboard/setup/snippet-steps.tsx';
import { Verification } from '#lib/apps/dashboard/setup/verification.tsx';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

/** The steps from a new program to a verified integration. As events arrive, the page shows them without a reload. */
export function SetupPage() {
  const { api } = useSession();
  const { path } = useProgram();
  const loading = useLoaded(() => api.get<Readiness>(`${path}/readiness`), [api, path]);
  const polled = loading.state === 'ready' ? loading.value.poll.retry_after_seconds : undefined;
  usePolled(loading.reload, polled);
  return (
    <Page
      title="Set-up"
      intro="Six steps from here to a verified integration. This page ticks them off as events come in."
    >
      <WhenLoaded of={loading}>{(readiness) => <Steps readiness={readiness} onChange={loading.reload} />}</WhenLoaded>
    </Page>
  );
}

interface StepsProps {
  readonly readiness: Readiness;
  readonly onChange: () => Promise<void>;
}

function Steps({ readiness, onChange }: StepsProps) {
  const { program } = useProgram();
  const progress = setupProgress(readiness);
  const { isDone, next } = progress;
  const stateOf = (step: SetupStepName) => ({ isDone: isDone[step], isNext: next === step });
  return (
    <>
      <Summary readiness={readiness} progress={progress} />
      <ol class="card setup-steps">
        <SetupStep title="Describe the program" {...stateOf('policy')}>
          <p>
            {program.name} on {program.domain} pays {commissionText(program)}. Clicks count for{' '}
            {program.attribution_window_days} days.
          </p>
          <a class="button" href={programPath('settings', program.id)}>
            Change it in the settings
          </a>
        </SetupStep>
        <SetupStep title="Generate the API key" {...stateOf('key')} staysOpen>
          <p>Your server proves with it that a signup or a sale is yours.</p>
          <ApiKey isFirst={!isDone.key} onGenerated={onChange} />
        </SetupStep>
        <SetupStep title="Send a click" {...stateOf('click')}>
          <ClickStep />
        </SetupStep>
        <SetupStep title="Send signups" {...stateOf('lead')}>
          <LeadStep />
        </SetupStep>
        <SetupStep title="Send sales" {...stateOf('sale')}>
          <SaleStep />
        </SetupStep>
        <SetupStep title="Verify the whole chain" {...stateOf('verification')} staysOpen>
          <Verification onRun={onChange} />
        </SetupStep>
        <SetupStep
          title="Connect your card processor"
          isDone={readiness.gates.payout.mode === 'stripe'}
          isNext={false}
          isOptional
        >
          <p>
            Payments, renewals and refunds then arrive by themselves; your server need not send sales, nor forward
            Stripe’s events.
          </p>
          <a class="button" href={sectionPath(program.id, 'processor')}>
            Connect it in the settings
          </a>
        </SetupStep>
        <SetupStep
          title="Leave out your own clicks"
          isDone={program.ignored_addresses.length > 0}
          isNext={false}
          isOptional
          staysOpen
        >
          <p>
            You and your colleagues open links, too, to see whether they work. Clicks from addresses that you ignore
            make no customers, and count as those of bots.
          </p>
          <IgnoreMyAddress />
          <p class="hint">
            More of them are in the <a href={sectionPath(program.id, 'own-clicks')}>settings</a>.
          </p>
        </SetupStep>
      </ol>
    </>
  );
}

function Summary({ readiness, progress }: { readonly readiness: Readiness; readonly progress: SetupProgress }) {
  const { program } = useProgram();
  const { doneCount, stepCount } = progress;
  const { integration_verified: isVerified, counts_24h: counts } = readiness;
  return (
    <section class={`card setup-summary ${isVerified ? 'verified' : ''}`} aria-label="Progress">
      <div>
        <h2>{isVerified ? 'Your integration is verified' : `${doneCount} of ${stepCount} steps done`}</h2>
        <p class="muted">
          {readiness.state === 'live_verified'
            ? `In the last 24 hours: ${countOf(counts.clicks, 'click')}, ${countOf(counts.leads, 'lead')}, ${countOf(counts.sales, 'sale')}.`
            : 'No real event has come in yet.'}
        </p>
      </div>
      {isVerified ? (
        <a class="button primary" href={programPath('partners', program.id)}>
          Add partners
        </a>
      ) : (
        <progress value={doneCount} max={stepCount} aria-label="Steps done" />
      )}
    </section>
  );
}

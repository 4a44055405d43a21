import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ChainResult, ChainVerdict } from '#lib/wire/reports/readiness.ts';

const steps: readonly (keyof ChainVerdict)[] = ['click', 'lead', 'sale'];

const verdicts: Readonly<Record<ChainVerdict[keyof ChainVerdict], { readonly tone: Tone; readonly text: string }>> = {
  attributed: { tone: 'good', text: 'Attributed' },
  wrong_partner: { tone: 'bad', text: 'Went to another partner' },
  unattributed: { tone: 'bad', text: 'Not attributed' },
  pending: { tone: 'plain', text: 'Not reached' },
};

/** A button that sends a chain of test events, which are processed like real ones. Shows which of them succeeded. */
export function Verification({ onRun }: { readonly onRun: () => Promise<void> }) {
  const { api } = useSession();
  const { path } = useProgram();
  const [result, setResult] = useState<ChainResult>();
  const verify = useAction(async () => {
    setResult(await api.send<ChainResult>('POST', `${path}/verification`));
    await onRun();
  });
  return (
    <>
      <p>
        A made-up visitor clicks, signs up and pays, through the same code as real ones. It creates no commission and no
        fee.
      </p>
      <button type="button" class="button primary" aria-disabled={verify.isPending} onClick={verify.run}>
        {verify.isPending ? 'Running…' : 'Run verification'}
      </button>
      {verify.error && <Failure error={verify.error} />}
      {result && (
        <div class="verdict" role="status">
          <p>
            <strong>{result.attributed ? 'It works: the sale was attributed.' : 'The sale was not attributed.'}</strong>
          </p>
          <ul>
            {steps.map((step) => (
              <li key={step}>
                <span class="verdict-step">{step}</span>
                <Badge tone={verdicts[result.verdict[step]].tone}>{verdicts[result.verdict[step]].text}</Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import { errorFrom } from '#lib/apps/web/api-error.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useInstallation } from '#lib/apps/web/installation-context.ts';
import { Dialog } from '#lib/apps/web/parts/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/facts.tsx';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { Page } from '#lib/apps/web/parts/page.tsx';
import { Time } from '#lib/apps/web/parts/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/when-loaded.tsx';
import { beginSignIn } from '#lib/apps/web/sign-in.ts';
import { detailsIn, MethodFields, methods } from '#lib/apps/portal/payout-details/method-fields.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PayoutDetails } from '#lib/wire/portal/payout-details.ts';

/** Where brands send the money: one for all programs. */
export function PayoutDetailsPage() {
  const { api } = useSession();
  const details = useLoaded(() => api.get<PayoutDetails | null>('/payout-details'), [api]);
  const [isSaved, setSaved] = useState(false);
  return (
    <Page
      title="Payout details"
      intro="Where brands send what you earned, in all your programs. They are kept encrypted; only the owners of a brand that pays you read them."
    >
      <WhenLoaded of={details}>
        {(loaded) => (
          <div class="stack">
            {loaded ? (
              <Current details={loaded} />
            ) : (
              <div class="card">
                <Empty title="No payout details yet">
                  <p>Enter them below, so that brands know where to send your money.</p>
                </Empty>
              </div>
            )}
            {isSaved && (
              <p class="saved" role="status">
                Saved.
              </p>
            )}
            <Change
              // The fields begin anew after each change.
              key={loaded?.updated_at}
              current={loaded}
              onChange={(now) => {
                details.replace(now);
                setSaved(true);
              }}
            />
          </div>
        )}
      </WhenLoaded>
    </Page>
  );
}

const Current = ({ details: { method, masked, updated_at: at } }: { readonly details: PayoutDetails }) => (
  <Facts title="In force">
    <Fact name="How">{new Map(methods).get(method)}</Fact>
    <Fact name="Where">
      <span class="identifier">{masked}</span>
    </Fact>
    <Fact name="Changed">
      <Time at={at} />
    </Fact>
  </Facts>
);

interface ChangeProps {
  readonly current: PayoutDetails | null;
  readonly onChange: (now: PayoutDetails) => void;
}

function Change({ current, onChange }: ChangeProps) {
  const { api } = useSession();
  const [mustSignIn, setMustSignIn] = useState(false);
  return (
    <section class="card form-card stack" aria-labelledby="change">
      <h2 id="change">{current ? 'Change them' : 'Enter them'}</h2>
      <p class="hint">
        For your protection this asks you to sign in again if you did so more than 10 minutes ago.
        {current && ' A change is told to you by e-mail, and holds your next payout for 24 hours.'}
      </p>
      <Form
        submit="Save"
        onSubmit={async (entered) => {
          try {
            onChange(await api.send<PayoutDetails>('PUT', '/payout-details', detailsIn(entered)));
          } catch (cause) {
            if (errorFrom(cause).status !== 403) throw cause;
            setMustSignIn(true);
          }
        }}
      >
        <MethodFields current={current?.method} />
      </Form>
      {mustSignIn && <SignInAgain onClose={() => setMustSignIn(false)} />}
    </section>
  );
}

function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const installation = useInstallation();
  const signIn = useAction(() => beginSignIn(installation, { purpose: 'pages', returnTo: portalPaths.payoutDetails }));
  return (
    <Dialog title="Sign in again to change payout details" onClose={onClose}>
      <p>
        Your sign-in is older than 10 minutes. Whoever finds your browser open must not be able to have your money sent
        elsewhere. What you typed here is not kept.
      </p>
      {signIn.error && <Failure error={signIn.error} />}
      <div class="form-buttons">
        <button type="button" class="button primary" aria-disabled={signIn.isPending} onClick={signIn.run}>
          Sign in again
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import { errorFrom } from '#lib/apps/web/api/api-error.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Outcome } from '#lib/apps/web/parts/forms/outcome.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { SignInAgain } from '#lib/apps/web/parts/frame/sign-in-again.tsx';
import { useSignIns } from '#lib/apps/web/session/sign-ins.ts';
import { BillingSection } from '#lib/apps/portal/payout-details/billing-section.tsx';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { detailsIn, MethodFields } from '#lib/apps/portal/payout-details/method-fields.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { holdEnd } from '#lib/apps/portal/payout-details/hold-end.ts';
import type { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';

/** The person's payout details, which apply to all programs. */
export function PayoutDetailsPage() {
  const { api } = useSession();
  const details = useLoaded(() => api.get<PayoutDetails | null>('/payout-details'), [api]);
  const [isSaved, setSaved] = useState(false);
  return (
    <Page
      title="Payout details"
      intro="Where brands send what you earned, in all your programs. They are kept encrypted. The brands whose partner you are see a part of them. Their owners read them to pay you, and you get an e-mail when they do."
    >
      <div class="stack form-card">
        <WhenLoaded of={details} what="Payout details">
          {(loaded) => (
            <div class="stack">
              {isSaved && loaded && <Outcome key={loaded.updated_at}>Your payout details are saved.</Outcome>}
              {loaded ? (
                <>
                  <Current details={loaded} />
                  <p class="hint">
                    You can <a href={`${portalPaths.settings}#delete-details`}>delete them</a> in the settings.
                  </p>
                </>
              ) : (
                <div class="card">
                  <Empty title="No payout details yet">
                    <p>Enter them below, so that brands know where to send your money.</p>
                  </Empty>
                </div>
              )}
              <Change
                // A changed key makes Preact create the fields again, with the new values.
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
        <BillingSection />
      </div>
    </Page>
  );
}

function Current({ details: { method, masked, updated_at: at } }: { readonly details: PayoutDetails }) {
  const { api } = useSession();
  const end = holdEnd(at);
  return (
    <Facts title="In force">
      <Fact name="How">{payoutMethods[method]}</Fact>
      <Fact name="Where">
        <span class="identifier">{masked}</span>
      </Fact>
      <Fact name="Changed">
        <Minute at={at} />
      </Fact>
      {/* The text names the exception, because the reply does not show whether it applies. */}
      {end > api.now() && (
        <Fact name="Hold">
          Payouts leave you out until <Minute at={end} />. What you earned comes with the next payout after that.
          <div class="hint">
            This is to protect you from a change that is not yours. First details are not held if you had earned nothing
            when you entered them.
          </div>
        </Fact>
      )}
    </Facts>
  );
}

interface ChangeProps {
  readonly current: PayoutDetails | null;
  readonly onChange: (now: PayoutDetails) => void;
}

/** Offers the form for a change or, if the sign-in is too old for one, to sign in again. */
function Change({ current, onChange }: ChangeProps) {
  const { api } = useSession();
  const isOld = useLoaded(() => isSignInTooOld(api), [api]);
  const signIns = useSignIns();
  // While it is checked again, a form that is shown already stays, with what was entered.
  useEffect(() => {
    if (signIns > 0) void isOld.reload();
  }, [signIns]);
  return (
    <section class="card form-card stack" aria-labelledby="change">
      <h2 id="change">{current ? 'Change them' : 'Enter them'}</h2>
      <WhenLoaded of={isOld}>
        {(mustSignIn) => (mustSignIn ? <SignInAgain /> : <Details current={current} onChange={onChange} />)}
      </WhenLoaded>
    </section>
  );
}

/**
 * Whether the sign-in is too old for a change. Sends an empty change to find out: the service checks the sign-in before
 * the body.
 * @throws ApiError
 */
async function isSignInTooOld(api: Api): Promise<boolean> {
  try {
    await api.send('PUT', '/payout-details', {});
  } catch (cause) {
    const { status } = errorFrom(cause);
    if (status !== 400 && status !== 403) throw cause;
    return status === 403;
  }
  return false;
}

function Details({ current, onChange }: ChangeProps) {
  const { api } = useSession();
  const signIns = useSignIns();
  /** The number of sign-ins when the service refused a change because the last one was too old. */
  const [refusedAt, setRefusedAt] = useState<number>();
  return (
    <>
      <p class="hint">
        For your protection this is possible for 10 minutes after you signed in.
        {current
          ? ' A change is told to you by e-mail, and payouts leave you out for 24 hours.'
          : ' If you have earned anything already, payouts leave you out for 24 hours first.'}
      </p>
      <Form
        submit="Save"
        onSubmit={async (entered) => {
          try {
            onChange(await api.send<PayoutDetails>('PUT', '/payout-details', detailsIn(entered)));
          } catch (cause) {
            if (!errorFrom(cause).needsSignIn) throw cause;
            setRefusedAt(signIns);
            return false;
          }
          return undefined;
        }}
      >
        <MethodFields current={current?.method} />
      </Form>
      {refusedAt === signIns && <SignInAgainDialog onClose={() => setRefusedAt(undefined)} />}
      {refusedAt !== undefined && refusedAt !== signIns && (
        // The person saves again: someone else may have entered the details before the person signed in.
        <p class="saved" role="status">
          You are signed in again. Press Save to save what you entered.
        </p>
      )}
    </>
  );
}

/** Shown if the sign-in became too old while the person was filling in the form. */
const SignInAgainDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Sign in again to change payout details" onClose={onClose}>
    <SignInAgain />
  </Dialog>
);

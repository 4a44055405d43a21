import { useContext, useState } from 'preact/hooks';
import { openApi } from '#lib/apps/portal/open-api.ts';
import { Branded } from '#lib/apps/web/brand/branded.tsx';
import { errorFrom } from '#lib/apps/web/api/api-error.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { withScheme } from '#lib/apps/web/forms/with-scheme.ts';
import { countOf, dateText } from '#lib/apps/web/format.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { Fact } from '#lib/apps/web/parts/figures/facts.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { SinglePage } from '#lib/apps/web/parts/frame/single-page.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { beginSignIn } from '#lib/apps/web/session/sign-in.ts';
import { AcceptTerms } from '#lib/apps/portal/parts/terms-text.tsx';
import { type PortalSession, SessionContext } from '#lib/apps/portal/session.ts';
import { termsText } from '#lib/apps/web/terms-texts.ts';
import { partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { Joined, JoinedProgram, ProgramToJoin } from '#lib/wire/partners/portal-program.ts';

type PartnerStatus = JoinedProgram['status'];

interface JoinPageProps {
  readonly programId: number;
  /** The address to which the sign-in returns: that of this page. */
  readonly returnTo: string;
}

/** The public page of a program, on which people can apply to become a partner. */
export function JoinPage({ programId, returnTo }: JoinPageProps) {
  const session = useContext(SessionContext);
  const program = useLoaded(() => openApi.get<ProgramToJoin>(`/join/${programId}`), [programId]);
  if (program.state === 'loading') {
    return (
      <Branded brand={null}>
        <SinglePage title="Become a partner">
          <Skeleton />
        </SinglePage>
      </Branded>
    );
  }
  if (program.state === 'failed') {
    return (
      <SinglePage title={program.error.status === 404 ? 'This program takes no applications' : 'Become a partner'}>
        {program.error.status === 404 ? (
          <p>The address may be mistyped, or the brand invites its partners itself. Ask the brand.</p>
        ) : (
          <Failure error={program.error} onRetry={() => void program.reload()} />
        )}
        <a class="button wide" href={portalPaths.home}>
          To your programs
        </a>
      </SinglePage>
    );
  }
  const { brand, domain } = program.value;
  return (
    <Branded brand={brand}>
      <SinglePage title={`Become a partner of ${brand.name}`}>
        {brand.welcome === null ? (
          <p>
            Recommend <strong>{domain}</strong>, and earn something for every customer whom you bring.
          </p>
        ) : (
          <p class="written">{brand.welcome}</p>
        )}
        <Offer program={program.value} />
        {session ? (
          <Application session={session} program={program.value} />
        ) : (
          <Stranger program={program.value} returnTo={returnTo} />
        )}
      </SinglePage>
    </Branded>
  );
}

const Offer = ({ program }: { readonly program: ProgramToJoin }) => (
  <>
    <dl class="facts">
      <Fact name="You earn">{termsText(program.terms_offered, program.currency)}</Fact>
      <Fact name="For whom">
        Everyone who signs up within {countOf(program.window_days, 'day')} after the first click on your link.
      </Fact>
      <Fact name="When">
        {program.hold_period_days === 0
          ? 'There is no wait for refunds.'
          : `${countOf(program.hold_period_days, 'day')} after the payment, when the time for refunds is over.`}
      </Fact>
    </dl>
    {program.terms && (
      <details class="join-terms">
        <summary>Terms of the program</summary>
        <div class="terms-text">{program.terms.text}</div>
      </details>
    )}
  </>
);

const joinPolicyTexts = {
  open: 'You become a partner at once.',
  apply: 'The brand reads your application and decides.',
} as const;

function Stranger({ program, returnTo }: { readonly program: ProgramToJoin; readonly returnTo: string }) {
  const installation = useInstallation();
  const signIn = useAction(() => beginSignIn(installation, { purpose: 'pages', returnTo }));
  return (
    <>
      {signIn.error && <Failure error={signIn.error} />}
      <button type="button" class="button primary wide" aria-disabled={signIn.isPending} onClick={signIn.run}>
        {signIn.isPending ? 'One moment…' : 'Sign in to go on'}
      </button>
      <p class="hint">
        {joinPolicyTexts[program.join]} {installation.sign_in_hint ?? 'New here? Create your account on the next page.'}
      </p>
    </>
  );
}

interface ApplicationProps {
  readonly session: PortalSession;
  readonly program: ProgramToJoin;
}

/** Shows the application form to people who may apply. Other people see their status. */
function Application({ session: { api, me, reload, signOut }, program }: ApplicationProps) {
  const leave = useAction(() => signOut());
  const joined = me.programs.find((one) => one.program_id === program.program_id);
  const [status, setStatus] = useState<PartnerStatus | undefined>(joined?.status);
  /** The service's message if the person applies again too early. */
  const [tooEarly, setTooEarly] = useState<string>();

  async function join({ message, website }: Entered): Promise<void> {
    try {
      const answer = await api.send<Joined>('POST', `/join/${program.program_id}`, {
        message: message || undefined,
        website: withScheme(website ?? '') || undefined,
        terms_version: program.terms?.version,
      });
      await reload();
      setStatus(answer.status);
    } catch (cause) {
      const { message: said } = errorFrom(cause);
      if (!said.startsWith('You can apply again on')) throw cause;
      setTooEarly(said);
    }
  }
  if (status === 'active' || status === 'removed') {
    return (
      <>
        <p role="status">
          {status === 'active' ? 'You are a partner of this program.' : 'You have left this program.'}
        </p>
        <a class="button primary wide" href={partnerPath('overview', program.program_id)}>
          {status === 'active' ? 'To your links and figures' : 'To what you earned'}
        </a>
      </>
    );
  }
  if (status === 'applied') {
    return (
      <>
        <p role="status">
          <strong>Your application is with the brand.</strong> You find its answer among your programs.
        </p>
        <a class="button wide" href={portalPaths.home}>
          To your programs
        </a>
      </>
    );
  }
  const rejection = status === 'rejected' && (
    <p class="notice">
      Your last application was not accepted{joined?.rejection_reason ? `: ${joined.rejection_reason}` : '.'}
    </p>
  );
  const from = status === 'rejected' ? joined?.may_apply_on : undefined;
  const isLater = from != null && from > api.today();
  if (isLater || tooEarly !== undefined) {
    return (
      <>
        {rejection}
        <p role="status">{isLater ? `You can apply again on ${dateText(from)}.` : tooEarly}</p>
        <a class="button wide" href={portalPaths.home}>
          To your programs
        </a>
      </>
    );
  }
  return (
    <>
      {rejection}
      <Form
        submit={status === 'invited' ? 'Accept the invitation' : program.join === 'open' ? 'Become a partner' : 'Apply'}
        onSubmit={join}
      >
        {status !== 'invited' && (
          <>
            <Field
              name="website"
              label="Your website or channel"
              placeholder="https://"
              maxLength={2_000}
              hint="Where you would recommend the program. You may leave it empty."
            />
            <TextArea
              name="message"
              label="Message to the brand"
              rows={4}
              hint="Who you are, and whom you reach. You may leave it empty."
            />
          </>
        )}
        {program.terms && <AcceptTerms />}
      </Form>
      <p class="hint">
        You are signed in as {me.account.email}. {status !== 'invited' && joinPolicyTexts[program.join]}
      </p>
      <button type="button" class="button wide" aria-disabled={leave.isPending} onClick={leave.run}>
        Use another account
      </button>
      {leave.error && <Failure error={leave.error} />}
    </>
  );
}

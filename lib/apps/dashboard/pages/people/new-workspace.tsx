import { Invitations } from '#lib/apps/dashboard/members/invitations.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { SinglePage } from '#lib/apps/web/parts/frame/single-page.tsx';
import { PortalLink } from '#lib/apps/dashboard/parts/program/portal-link.tsx';
import type { Session } from '#lib/apps/dashboard/session/session.ts';

/** The first page of a person without a workspace, who can accept an invitation or create a workspace. */
export const NewWorkspacePage = ({ session }: { readonly session: Session }) => (
  <SinglePage title="Create your workspace">
    <p>
      Welcome, {session.me.account.name}. A workspace holds your brand's programs and the colleagues who look after
      them. You will be its owner.
    </p>
    <PortalLink isButton />
    <Invitations session={session} />
    <Form
      submit="Create workspace"
      onSubmit={async ({ name }) => {
        await session.api.send('POST', '/workspace', { name });
        await session.reload();
      }}
    >
      <Field
        name="name"
        label="Workspace name"
        hint="Usually your company's name."
        required
        maxLength={120}
        autofocus
      />
    </Form>
    <p class="hint">
      Were you invited with another address? Sign in with that one: you are signed in as {session.me.account.email}.{' '}
      <button type="button" class="link" onClick={() => void session.signOut()}>
        Sign out
      </button>
    </p>
  </SinglePage>
);

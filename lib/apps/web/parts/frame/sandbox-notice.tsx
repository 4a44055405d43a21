/** The notice that every page of a sandbox workspace shows. */
export const SandboxNotice = ({ sandbox }: { readonly sandbox: boolean }) =>
  sandbox ? (
    <p class="notice" role="note">
      <strong>Sandbox.</strong> For rehearsals: Stripe’s test payments earn here, and nothing is paid out.
    </p>
  ) : null;

import { Snippet } from '#lib/apps/dashboard/parts/snippet.tsx';

interface NewSecretProps {
  readonly secret: string;
  readonly onStored: () => void;
}

export const NewSecret = ({ secret, onStored }: NewSecretProps) => (
  <div class="new-key">
    <p role="status">
      <strong>Copy the signing secret now: it is shown only this once.</strong> Your server needs it to recognize forged
      deliveries. Keep it in an environment variable, out of your code.
    </p>
    <Snippet what="signing secret" text={secret} />
    <button type="button" class="button primary" onClick={onStored}>
      I have stored it
    </button>
  </div>
);

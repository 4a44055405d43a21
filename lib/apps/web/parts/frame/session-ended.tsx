import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';

interface SessionEndedProps {
  /** Address of the sign-in page. */
  readonly home: string;
  readonly onLeave: () => void;
}

/**
 * The notice that the session has ended while a page is open. After a sign-in in another tab, the session continues
 * here.
 */
export const SessionEnded = ({ home, onLeave }: SessionEndedProps) => (
  <Dialog title="Your session has ended" onClose={onLeave}>
    <p>Sign in again to go on where you were. If you do it in a new tab, what you typed here stays.</p>
    <div class="form-buttons">
      <a class="button primary" href={home} target="_blank">
        Sign in in a new tab
      </a>
      <button type="button" class="button" onClick={onLeave}>
        Sign in here
      </button>
    </div>
  </Dialog>
);

import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';

interface SessionEndedProps {
  /** Path of the application's start page, which offers to sign in. */
  readonly home: string;
  readonly onLeave: () => void;
}

/**
 * Says that the session has ended while a page is open. If the person signs in from another tab, the page here continues.
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

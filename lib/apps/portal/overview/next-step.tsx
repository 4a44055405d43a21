import { useProgram } from '#lib/apps/portal/current-program.ts';

export function NextStep() {
  const { program, mayChange, mustAccept, addressOf } = useProgram();
  if (!mayChange || mustAccept || program.links_left === 0) return null;
  return (
    <section class="notice next-step" aria-label="Next step">
      <p>
        <strong>Make your first link.</strong> Share it where you recommend {program.name}: whoever comes through it and
        buys is your customer.
      </p>
      <a class="button primary" href={addressOf('links')}>
        Make a link
      </a>
    </section>
  );
}

import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';

/** The next step of a person who has earned something and entered no payout details. */
export const NoDetails = () => (
  <section class="notice next-step" aria-label="Payout details">
    <p>
      <strong>Where should your money go?</strong> Nobody can pay you until you enter your payout details.
    </p>
    <a class="button primary" href={portalPaths.payoutDetails}>
      Enter payout details
    </a>
  </section>
);

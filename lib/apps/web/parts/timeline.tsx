import { Time } from '#lib/apps/web/parts/time.tsx';
import type { ExplainedSale } from '#lib/wire/explained-sale.ts';

/** What happened, in order of time. */
export const Timeline = ({ steps }: { readonly steps: ExplainedSale['timeline'] }) => (
  <ol class="timeline">
    {steps.map(({ at, kind, text }) => (
      <li key={`${at} ${text}`} class={`timeline-step ${kind}`}>
        <span class="timeline-kind">{kind}</span>
        <p>{text}</p>
        <Time at={at} />
      </li>
    ))}
  </ol>
);

import { Time } from '#lib/apps/web/parts/figures/time.tsx';

interface Step {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}

/** Shows events in the order in which they happened. */
export const Timeline = ({ steps }: { readonly steps: readonly Step[] }) => (
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

import type { ComponentChildren } from 'preact';

export interface SectionHeading {
  /** The part of the section's address after `#`. */
  readonly id: string;
  readonly title: string;
}

interface SectionProps extends SectionHeading {
  readonly intro?: string;
  readonly children: ComponentChildren;
}

/** One section of the settings. */
export const Section = ({ id, title, intro, children }: SectionProps) => (
  <section class="card section" id={id} aria-labelledby={`${id}-title`}>
    <div class="section-about">
      <h2 id={`${id}-title`}>{title}</h2>
      {intro && <p class="muted">{intro}</p>}
    </div>
    <div class="section-body">{children}</div>
  </section>
);

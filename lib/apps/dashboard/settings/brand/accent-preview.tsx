import { Emblem } from '#lib/apps/web/brand/emblem.tsx';
import type { BrandInList } from '#lib/wire/programs/brand/brand.ts';

interface AccentPreviewProps {
  readonly brand: BrandInList;
  /** The color that the owner has entered. */
  readonly color: string | null;
}

const themes = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Shows how logo, name and color will look in the light and in the dark theme. */
export const AccentPreview = ({ brand, color }: AccentPreviewProps) => (
  <ul class="brand-previews plain-list">
    {themes.map(([theme, title]) => {
      const shown = brand.accent?.[theme];
      return (
        <li key={theme}>
          <div
            class={`brand-preview ${theme}`}
            style={shown === undefined ? undefined : { '--brand-light': shown, '--brand-dark': shown }}
          >
            <span class="brand">
              <Emblem brand={{ ...brand, accent: null }} />
              <bdi>{brand.name}</bdi>
            </span>
            {shown !== undefined && <span class="brand-sample">Button</span>}
          </div>
          <p class="hint">
            {title}
            {shown !== undefined && `: ${shown}.`}
            {shown !== undefined && shown !== color && ' Adjusted so that it can be read.'}
          </p>
        </li>
      );
    })}
  </ul>
);

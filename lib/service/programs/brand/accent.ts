import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  parseHex,
  useMode,
  wcagContrast,
} from 'culori/fn';
import type { Accent } from '#lib/service/programs/brand/brand.ts';

/**
 * The background colors behind text in the accent color, and the color of text on accent buttons. A test compares them
 * with `lib/apps/web/style/base.css`.
 */
export const surfaces: Readonly<Record<keyof Accent, readonly string[]>> = {
  light: ['#f6f7f9', '#ffffff', '#f0f2f5', '#e2f4ec', '#fdf1da', '#fdebed'],
  dark: ['#0f1218', '#171b23', '#10141b', '#14332a', '#38290f', '#3d1a21', '#10142a'],
};

/** The minimum contrast of text by WCAG 2, level AA. */
const READABLE = 4.5;
/** By how much each attempt changes the lightness, which is from 0 to 1. */
const STEP = 0.01;

// The library converts only between color spaces that are registered.
useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
const oklch = useMode(modeOklch);

/**
 * The color for each theme: the given one if it is readable there, otherwise the nearest readable one of the same hue.
 */
export const accentOf = (color: string): Accent => ({
  light: readableOn(surfaces.light, color, -STEP),
  dark: readableOn(surfaces.dark, color, STEP),
});

function readableOn(backgrounds: readonly string[], color: string, step: number): string {
  const isReadable = (shown: string): boolean =>
    backgrounds.every((background) => wcagContrast(shown, background) >= READABLE);
  const { l, c, h } = oklch(parseHex(color)!);
  let shown = color;
  // Black is readable in the light theme, and white in the dark one, so the loop always ends.
  for (let tries = 1; !isReadable(shown); tries += 1) {
    const lightness = Math.min(1, Math.max(0, l + tries * step));
    shown = formatHex(clampChroma({ mode: 'oklch', l: lightness, c, h }, 'oklch'));
  }
  return shown;
}

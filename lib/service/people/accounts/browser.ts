/** The longest text that is looked at. */
const LONGEST_AGENT = 500;

type Named = readonly (readonly [name: string, pattern: RegExp])[];

/** In this order: most browsers name others, too. */
const browsers: Named = [
  ['affitor', /^affitor\//],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
];

const systems: Named = [
  ['Windows', /\bWindows\b|\bwin32\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bdarwin\b/],
  ['Linux', /\bLinux\b|\blinux\b/],
];

/**
 * A browser as its user knows it, such as `Firefox on Windows`; undefined for what names no browser of ours. It tells
 * sign-ins apart to the person, and proves nothing: whoever sends the header chooses it.
 */
export function browserOf(userAgent: string | undefined): string | undefined {
  const agent = (userAgent ?? '').slice(0, LONGEST_AGENT);
  const browser = nameIn(browsers, agent);
  const system = nameIn(systems, agent);
  return browser && system ? `${browser} on ${system}` : browser;
}

const nameIn = (named: Named, agent: string): string | undefined =>
  named.find(([, pattern]) => pattern.test(agent))?.[0];

/** Only this many characters of the User-Agent header are examined. */
const LONGEST_AGENT = 500;

type Named = readonly (readonly [name: string, pattern: RegExp])[];

/**
 * The names of browsers, in the order in which they are looked for. The header of most browsers also contains the names
 * of other browsers, so the order matters.
 */
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
 * A browser's everyday name, such as `Firefox on Windows`; undefined if it is not recognised. It helps people to
 * recognise their sign-ins and proves nothing, because the client chooses the header.
 */
export function browserOf(userAgent: string | undefined): string | undefined {
  const agent = (userAgent ?? '').slice(0, LONGEST_AGENT);
  const browser = nameIn(browsers, agent);
  const system = nameIn(systems, agent);
  return browser && system ? `${browser} on ${system}` : browser;
}

const nameIn = (named: Named, agent: string): string | undefined =>
  named.find(([, pattern]) => pattern.test(agent))?.[0];

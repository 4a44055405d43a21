interface AppPage {
  readonly title: string;
  readonly script: string;
  readonly style: string;
  readonly font: string;
  /** Scripts that the main script imports. The page names them, so that the browser loads all of them in parallel. */
  readonly shared: readonly string[];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The HTML for all paths of the application. Its script renders the content. */
export const appPage = ({ title, script, style, font, shared }: AppPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
${shared.map((path) => `<link rel="modulepreload" href="${path}">`).join('\n')}
</head>
<body>
<div id="app"></div>
<noscript><p class="without-script">This page needs JavaScript. Switch it on and load the page again.</p></noscript>
</body>
</html>
`;

/** The page behind all paths of the application: its script draws the rest. */
export const appPage = ({
  script,
  style,
}: {
  readonly script: string;
  readonly style: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Referrals</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="without-script">The dashboard needs JavaScript. Switch it on for this page and load it again.</p></noscript>
</body>
</html>
`;

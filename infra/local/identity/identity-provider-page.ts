import { createHash } from 'node:crypto';
import { escapeHtml } from '#lib/service/ground/addresses/html.ts';

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:22rem;margin:15vh auto;padding:0 1rem;background:light-dark(#f6f7f9,#0f1218);color:light-dark(#171b26,#e8ebf2)}
label{display:block;margin-top:1rem}
input,button{font:inherit;box-sizing:border-box;width:100%;padding:.5rem;border:1px solid #868fa3;border-radius:7px}
button{margin-top:1.5rem;border:0;background:light-dark(#3b54d6,#93a5ff);color:light-dark(#fff,#10142a)}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/**
 * The sign-in page of a local run. A person may enter any identity, without a password.
 * @param hidden form fields that the page sends back unchanged
 */
export const signInPage = (action: string, hidden: Readonly<Record<string, string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in (local run)</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in</h1>
<p>This service runs on your machine. Any e-mail address will do.</p>
<form method="post" action="${escapeHtml(action)}">
${Object.entries(hidden)
  .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  .join('\n')}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" pattern=".+@.+[.].+" autocomplete="email" required autofocus>
<label for="name">Name (optional)</label>
<input id="name" name="name" autocomplete="name">
<button>Sign in</button>
</form>
</main>
</body>
</html>
`;

/**
 * Security headers of the sign-in page.
 * @param redirectOrigin origin to which the reply to the form redirects; browsers apply `form-action` to redirects, too
 */
export const signInPageHeaders = (redirectOrigin: string): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self' ${redirectOrigin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Other sites get no referrer. The form's own request needs one: without a referrer the browser would send
  // `Origin: null`, and the request would be refused as coming from another site.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
});

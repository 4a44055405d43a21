import { createHash } from 'node:crypto';

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f6f7f9,#0f1218);color:light-dark(#171b26,#e8ebf2)}
main{max-width:24rem;margin:12vh auto;padding:0 1rem}
h1{font-size:1.5rem}
button{font:inherit;width:100%;padding:.5rem;border:0;border-radius:7px;background:light-dark(#3b54d6,#93a5ff);color:light-dark(#fff,#10142a)}`;

/** The hash of the page's style sheet. The page's Content-Security-Policy allows only a style sheet with this hash. */
export const styleHash = createHash('sha256').update(STYLE).digest('base64');

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/**
 * The form with which a person confirms to unsubscribe. A confirmation is needed because mail programs also open the
 * links in mails. The form is sent to the page's own address.
 */
export const refusalForm = page(
  'No more mails?',
  `<p>You then get no more mails as a partner. You are still told when your payout details change.</p>
<form method="post"><button>No more mails</button></form>`,
);

/** The form with which a person confirms to block a sender. */
export const blockForm = page(
  'You don’t know this sender?',
  `<p>You then get no more mails from this sender, whatever they invite you to. The sender is not told.</p>
<form method="post"><button>Block this sender</button></form>`,
);

export const blockDone = page('Blocked', '<p>You get no more mails from this sender.</p>');

export const refusalDone = page(
  'No more mails',
  '<p>You get no more mails as a partner. In the settings of your partner page you can change this.</p>',
);

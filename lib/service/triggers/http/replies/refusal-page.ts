const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** Asks before anything happens: programs follow the links in mails, too. The form goes to the page's own address. */
export const refusalForm = page(
  'No more mails?',
  `<p>You then get no more mails as a partner. You are still told when your payout details change.</p>
<form method="post"><button>No more mails</button></form>`,
);

export const refusalDone = page(
  'No more mails',
  '<p>You get no more mails as a partner. In the settings of your partner page you can change this.</p>',
);

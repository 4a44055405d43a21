import { answersFromOutside, type ErrorDoc, errorDocs, uncodedMessages } from '#lib/apps/dashboard/error-docs.ts';

/** The page to which `docs_url` leads. It has an anchor for each error code. */
export const errorPage = ({
  style,
  product,
}: {
  readonly style: string;
  readonly product: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors and what to do – ${escaped(product)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main class="document">
<p class="brand"><a href="/"><img src="/icon.svg" alt="" width="28" height="28"> ${escaped(product)}</a></p>
<h1>Errors and what to do</h1>
<p class="page-intro">Read <code>error.code</code> first, then <code>error.message</code>. Every answer of the service carries <code>X-Request-ID</code>: name it when you ask for help.</p>
<nav class="document-index" aria-label="Error codes"><ul>
${errorDocs.map(({ code }) => `<li><a href="#${code}"><code>${code}</code></a></li>`).join('\n')}
<li><a href="#messages">Messages without a code</a></li>
<li><a href="#outside">Answers without an envelope</a></li>
</ul></nav>
${errorDocs.map(article).join('\n')}
<section id="messages" class="card" aria-labelledby="messages-title">
<h2 id="messages-title">Messages without a code</h2>
<p>Clicks, signups, the command line and the endpoints for Stripe answer with these.</p>
${messageList(uncodedMessages)}
</section>
<section id="outside" class="card" aria-labelledby="outside-title">
<h2 id="outside-title">Answers without an envelope</h2>
<p>Some requests end before they reach the service. What stands in front of it answers in its own words, without <code>error.code</code> and mostly without <code>X-Request-ID</code>; the status still holds.</p>
${messageList(answersFromOutside)}
</section>
</main>
</body>
</html>
`;

const article = ({
  code,
  status,
  happened,
  action,
  isRetryable,
  badge = isRetryable ? 'Try again' : 'Do not repeat unchanged',
  messages,
}: ErrorDoc): string => `<section id="${code}" class="card" aria-labelledby="${code}-title">
<h2 id="${code}-title"><code>${code}</code></h2>
<p class="document-facts"><span class="badge plain">${escaped(status)}</span> <span class="badge ${isRetryable ? 'waiting' : 'plain'}">${escaped(badge)}</span></p>
<h3>What happened</h3>
<p>${escaped(happened)}</p>
<h3>What to do</h3>
<p>${escaped(action)}</p>
${messages ? `<h3>Messages</h3>\n${messageList(messages)}` : ''}
</section>`;

const messageList = (messages: NonNullable<ErrorDoc['messages']>): string =>
  `<dl class="messages">${messages
    .map(({ message, meaning }) => `<dt><code>${escaped(message)}</code></dt><dd>${escaped(meaning)}</dd>`)
    .join('\n')}</dl>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

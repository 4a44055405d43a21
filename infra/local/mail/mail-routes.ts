import { createHash } from 'node:crypto';
import { escapeHtml } from '#lib/service/ground/addresses/html.ts';
import { badRequest } from '#lib/service/ground/values/refusals.ts';
import { jsonBody } from '#lib/service/http/messages/body.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import type { Reply, RequestContext } from '#lib/service/http/messages/request-context.ts';
import type { FeedbackHandler } from '#lib/service/http/triggers/mail-feedback.ts';
import { feedbackOf } from '#infra/local/mail/mail-simulator.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

/** Path below the service's URL to which mails are sent instead of to Amazon SES. The SDK appends its own paths. */
export const LOCAL_MAIL_PATH = '/local/mail';

/** A mail sent in this local run. */
interface LocalMail {
  /** The `From` header as sent: a name with characters beyond ASCII is encoded. */
  readonly from: string;
  /** Null if the brand has no contact address. */
  readonly reply_to: string | null;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: string;
  readonly kind: string;
}

const MOST_MAILS = 1_000;

/**
 * Replaces Amazon SES in a local run: stores the mails and shows them on a page.
 * @param tell receives bounces and complaints
 */
export function mailRoutes(tell: FeedbackHandler): ServedRoute[] {
  const mails: LocalMail[] = [];
  return [
    {
      method: 'GET',
      path: LOCAL_MAIL_PATH,
      handler: localHandler(({ event }) =>
        event.headers.accept?.includes('text/html')
          ? { statusCode: 200, headers: pageHeaders, text: pageOf(mails) }
          : { statusCode: 200, headers: { 'Content-Type': JSON_TYPE }, text: JSON.stringify(mails) },
      ),
    },
    {
      method: 'POST',
      path: `${LOCAL_MAIL_PATH}/v2/email/outbound-emails`,
      handler: localHandler(async ({ event, deps }) => {
        const { tags, ...mail } = mailIn(jsonBody(event), deps.now);
        mails.unshift(mail);
        mails.splice(MOST_MAILS);
        const feedback = feedbackOf(mail.to, tags, deps.now);
        if (feedback) await tell(feedback);
        return { statusCode: 200, headers: {}, body: { MessageId: deps.random.requestId() } };
      }),
    },
  ];
}

const JSON_TYPE = 'application/json; charset=utf-8';

const localHandler = (run: (call: RequestContext) => Reply | Promise<Reply>) =>
  createHandler({ middlewares: [], errors: { failure: 'Request failed' }, run });

interface SentEmail {
  readonly FromEmailAddress: string;
  readonly ReplyToAddresses?: readonly [string];
  readonly Destination: { readonly ToAddresses: readonly [string] };
  readonly EmailTags: readonly { readonly Name: string; readonly Value: string }[];
  readonly Content: {
    readonly Simple: {
      readonly Subject: { readonly Data: string };
      readonly Body: { readonly Text: { readonly Data: string }; readonly Html: { readonly Data: string } };
      readonly Headers: readonly { readonly Name: string; readonly Value: string }[];
    };
  };
}

/**
 * Reads the mail from a request of the SDK of Amazon SES.
 * @throws Refusal for a request in a form that the service never sends
 */
function mailIn(sent: unknown, now: Date): LocalMail & { readonly tags: SentEmail['EmailTags'] } {
  try {
    const { FromEmailAddress, ReplyToAddresses, Destination, EmailTags, Content } = sent as SentEmail;
    const { Subject, Body, Headers } = Content.Simple;
    return {
      from: FromEmailAddress,
      reply_to: ReplyToAddresses?.[0] ?? null,
      to: Destination.ToAddresses[0],
      subject: Subject.Data,
      text: Body.Text.Data,
      html: Body.Html.Data,
      headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
      at: now.toISOString(),
      kind: EmailTags.find(({ Name }) => Name === 'kind')!.Value,
      tags: EmailTags,
    };
  } catch {
    throw badRequest('This is no mail of the service');
  }
}

/** The style of the page with mails. Long addresses wrap, so that the page can be read on a phone. */
const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
pre{font:inherit;white-space:pre-wrap}
article{border-top:1px solid #868fa3}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
};

const pageOf = (mails: readonly LocalMail[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mails (local run)</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mails of this run</h1>
${mails.length === 0 ? '<p>None was sent yet.</p>' : mails.map(articleOf).join('\n')}
</main>
</body>
</html>
`;

const articleOf = ({ to, subject, text, at, kind }: LocalMail): string => `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, ${escapeHtml(at)}, ${escapeHtml(kind)}</p>
<pre>${withLinks(text)}</pre>
</article>`;

/** Turns the URLs in a text into links. The service always writes white space after a URL. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');

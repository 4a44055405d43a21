import * as z from 'zod/mini';
import { refusalLinkUnknown } from '#lib/service/ground/values/refusals.ts';
import { type Family, headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { inQuery } from '#lib/wire/words/parameters.ts';

const mail: Family = {
  tag: 'Mail',
  security: ['anonymous'],
  errors: { namesRequest: true },
  refusals: [],
  failure: 'Request failed',
  isCounted: true,
};

const token = { ...inQuery('token', 'The token of the link in the mail.'), isRequired: true } as const;

const page = (description: string) => ({
  200: {
    description,
    contentType: 'text/html',
    body: z.string(),
    headers: {
      ...headersOf(mail, 200),
      'Content-Security-Policy': 'always',
      'Referrer-Policy': 'always',
    },
  } as const,
});

export const mailRoutes = {
  'mail/unsubscribe/get': operation(mail, {
    id: 'askToUnsubscribe',
    summary: 'Show the page for unsubscribing from mails',
    description: 'It changes nothing, because mail programs open links in mails automatically.',
    parameters: [token],
    others: page('A page with a button to unsubscribe.'),
  }),
  'mail/unsubscribe/post': operation(mail, {
    id: 'unsubscribe',
    summary: 'Unsubscribe from mails',
    description:
      'Called by mail programs (one-click unsubscribe, RFC 8058) or by the button of the page. The body is not read. The request may be repeated.',
    parameters: [token],
    others: page('The address is unsubscribed.'),
    refusals: [refusalLinkUnknown()],
  }),
  'mail/block/get': operation(mail, {
    id: 'askToBlockSender',
    summary: 'Show the page of the link “I don’t know this sender” in an invitation',
    description: 'It changes nothing, because mail programs open links in mails automatically.',
    parameters: [token],
    others: page('A page with a button to block the sender.'),
  }),
  'mail/block/post': operation(mail, {
    id: 'blockSender',
    summary: 'Block the sender of an invitation',
    description:
      "The address receives no further mails of this workspace's programs, and the workspace is not informed. The body is not read. The request may be repeated.",
    parameters: [token],
    others: page('The sender is blocked.'),
    refusals: [refusalLinkUnknown()],
  }),
} satisfies Readonly<Record<string, Operation>>;

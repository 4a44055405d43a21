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

const token = { ...inQuery('token', 'Of the link in the mail.'), isRequired: true } as const;

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
    summary: 'The page to which the link in a mail leads',
    description: 'It changes nothing: programs follow the links in mails, too.',
    parameters: [token],
    others: page('A page with a button that refuses further mails.'),
  }),
  'mail/unsubscribe/post': operation(mail, {
    id: 'unsubscribe',
    summary: 'Refuse further mails',
    description:
      'One click of a mail program (RFC 8058), or the button of the page. A body is not read. It may be repeated.',
    parameters: [token],
    others: page('They are refused.'),
    refusals: [refusalLinkUnknown()],
  }),
  'mail/block/get': operation(mail, {
    id: 'askToBlockSender',
    summary: 'The page to which “I don’t know this sender” in an invitation leads',
    description: 'It changes nothing: programs follow the links in mails, too.',
    parameters: [token],
    others: page('A page with a button that blocks the sender.'),
  }),
  'mail/block/post': operation(mail, {
    id: 'blockSender',
    summary: 'Block the sender of an invitation',
    description:
      'The mailbox gets no further mails of the programs of this workspace, which is not told. A body is not read. ' +
      'It may be repeated.',
    parameters: [token],
    others: page('It is blocked.'),
    refusals: [refusalLinkUnknown()],
  }),
} satisfies Readonly<Record<string, Operation>>;

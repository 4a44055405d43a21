import type { DynamoDBRecord } from 'aws-lambda';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { handler as consumer } from '#functions/stream/outbox.ts';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { openStream } from '#infra/local/stream/stream-records.ts';
import { isOf } from '#infra/local/stream/stream-pump.ts';
import { outbox } from '#infra/routes.ts';
import { mailRecords } from '#lib/service/ground/config/table-definition.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { SHARD } from '#test/support/table/stream.ts';
import { openWorld, type World, type WorldSettings } from '#test/support/programs/world.ts';

/** A mail that the mock of Amazon SES received. */
interface ReceivedMail {
  readonly from: string;
  readonly replyTo: readonly string[] | undefined;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * How SES answers a call: it accepts the mail, fails with status and name, or accepts the mail but the reply is `lost`.
 */
type SesAnswer = 'taken' | 'lost' | { readonly status: number; readonly name: string; readonly message?: string };

const taken = (): SesAnswer => 'taken';

/** Starts a local server that replaces Amazon SES. The service uses it from now on. */
async function openMailbox() {
  const received: ReceivedMail[] = [];
  let answerTo: (mail: ReceivedMail) => SesAnswer = taken;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mail = mailIn((await json(request)) as SentEmail);
    const answer = answerTo(mail);
    if (answer === 'taken' || answer === 'lost') received.push(mail);
    if (answer === 'lost') {
      request.socket.destroy();
      return;
    }
    const { status, name, message = 'Made by the test' } = answer === 'taken' ? { status: 200, name: '' } : answer;
    response.writeHead(status, { 'content-type': 'application/json', ...(name && { 'x-amzn-errortype': name }) });
    response.end(JSON.stringify(name ? { message } : { MessageId: 'm-1' }));
  }
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const MAIL_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { MAIL_FROM: 'referrals@acme.test', MAIL_ENDPOINT });
  discardContainer();

  return {
    received,
    /** Sets how SES answers from now on, and forgets the mails received so far. */
    answer(how: (mail: ReceivedMail) => SesAnswer = taken) {
      received.length = 0;
      answerTo = how;
    },
  };
}

interface SentEmail {
  readonly FromEmailAddress: string;
  readonly ReplyToAddresses?: readonly string[];
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly EmailTags: readonly { readonly Name: string; readonly Value: string }[];
  readonly Content: {
    readonly Simple: {
      readonly Subject: { readonly Data: string };
      readonly Body: { readonly Text: { readonly Data: string }; readonly Html: { readonly Data: string } };
      readonly Headers: SentEmail['EmailTags'];
    };
  };
}

const byName = (pairs: SentEmail['EmailTags']) => Object.fromEntries(pairs.map(({ Name, Value }) => [Name, Value]));

function mailIn({
  FromEmailAddress: from,
  ReplyToAddresses: replyTo,
  Destination,
  EmailTags,
  Content,
}: SentEmail): ReceivedMail {
  const { Subject, Body, Headers } = Content.Simple;
  const to = Destination.ToAddresses.join(', ');
  const [subject, text, html] = [Subject.Data, Body.Text.Data, Body.Html.Data];
  return { from, replyTo, to, subject, text, html, headers: byName(Headers), tags: byName(EmailTags) };
}

/** Delivers records to the outbox once, as one batch. @returns the number of records that it processed */
export async function deliverOnce(records: readonly DynamoDBRecord[]): Promise<number> {
  const { batchItemFailures } = await consumer({ shardId: SHARD, Records: [...records] });
  const [failed] = batchItemFailures;
  return failed
    ? records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed.itemIdentifier)
    : records.length;
}

/**
 * Delivers the table's stream records to the outbox, as Lambda does. That writes new records; it ends when there are
 * none.
 */
async function mailPump({ client, tableName }: World) {
  const endpoint = process.env.DYNAMODB_ENDPOINT!;
  const stream = openStream(await streamArnOf(client, tableName), { endpoint, region: 'us-east-1' });
  const [shardId] = await stream.shardIds();
  const shard = await stream.open(shardId!, undefined);

  /** Returns the records that are new since the last call. */
  async function fresh(): Promise<DynamoDBRecord[]> {
    const found: DynamoDBRecord[] = [];
    for (let page = await shard.next(); page && page.length > 0; page = await shard.next()) found.push(...page);
    return found.filter((record) => isOf(mailRecords, record));
  }
  return {
    /** Returns the records since the last call without delivering them. */
    fresh,
    /** Delivers the records since the last call. @param earlier records that are delivered before them */
    async run(earlier: readonly DynamoDBRecord[] = []): Promise<void> {
      let left = [...earlier, ...(await fresh())];
      for (let deliveries = 0; left.length > 0; deliveries++) {
        if (deliveries === MOST_DELIVERIES) throw new Error('The mails come to no end');
        left = left.slice(await deliverOnce(left.slice(0, outbox.batchSize)));
        if (left.length === 0) left = await fresh();
      }
    },
  };
}

/** Opens a world whose mails are sent to a local mailbox. */
export async function openMailWorld(settings: WorldSettings = {}) {
  const world = await openWorld(settings);
  return { world, mailbox: await openMailbox(), pump: await mailPump(world) };
}

const MOST_DELIVERIES = 10_000;

import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** A sender's address, and the identity that is verified for it in Amazon SES. */
export interface MailSender {
  readonly fromAddress: string;
  /** ARN of the verified identity. Default: the stack creates an identity for the address's domain. */
  readonly identityArn?: string;
}

/** Sends the service's mails through Amazon SES and receives bounces and complaints. */
export class Mail extends Construct {
  readonly configurationSet: ConfigurationSet;
  /** DNS records to create for the sender's domain; empty if it is already verified. */
  readonly #dnsRecords: readonly string[];
  /**
   * The queue of bounces and complaints that were not recorded, because the function that records them could not be
   * called or failed.
   */
  readonly failedFeedback: Queue;
  readonly #sender: MailSender;
  readonly #identityArn: string;

  constructor(scope: Construct, id: string, sender: MailSender) {
    super(scope, id);
    this.#sender = sender;
    this.configurationSet = new ConfigurationSet(this, 'Set', {
      reputationMetrics: true,
      // This suppression list belongs to the account, so an address on it gets no mail from any service of the account.
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.failedFeedback = new Queue(this, 'FailedFeedback', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.failedFeedback).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself the last stop of events that could not be dealt with.',
    });
    if (sender.identityArn !== undefined) {
      this.#identityArn = sender.identityArn;
      this.#dnsRecords = [];
    } else {
      const domain = domainOf(sender.fromAddress);
      const identity = new EmailIdentity(this, 'Identity', { identity: Identity.domain(domain) });
      this.#identityArn = identity.emailIdentityArn;
      this.#dnsRecords = [
        ...identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`),
        // The domain needs a DMARC policy, or large mail providers refuse its mails. This policy only states that one
        // exists.
        `_dmarc.${domain} TXT "v=DMARC1; p=none"`,
      ];
    }
  }

  get environment(): Record<string, string> {
    return { MAIL_FROM: this.#sender.fromAddress, MAIL_CONFIGURATION_SET: this.configurationSet.configurationSetName };
  }

  get outputs(): Record<string, string> {
    return {
      FailedFeedbackQueueUrl: this.failedFeedback.queueUrl,
      ...(this.#dnsRecords.length > 0 && { MailDnsRecords: this.#dnsRecords.join(', ') }),
    };
  }

  get #setArn(): string {
    const resourceName = this.configurationSet.configurationSetName;
    return Stack.of(this).formatArn({ service: 'ses', resource: 'configuration-set', resourceName });
  }

  /** Permission to send mails from the configured address with this configuration set. */
  get permission(): PolicyStatement {
    return new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [this.#identityArn, this.#setArn],
      conditions: { StringEquals: { 'ses:FromAddress': this.#sender.fromAddress } },
    });
  }

  /**
   * Permission of the function that receives bounces and complaints: when it fails, Lambda uses the function's role to
   * put the event into the queue.
   */
  get feedbackPermission(): PolicyStatement {
    return new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.failedFeedback.queueArn] });
  }

  /**
   * Delivers the bounces and complaints of this installation's mails to a function. Events on which the function fails
   * are put into a queue.
   */
  tell(feedback: LambdaFunction): void {
    // CDK's own property for this queue would attach another policy to the role.
    (feedback.node.defaultChild as CfnFunction).deadLetterConfig = { targetArn: this.failedFeedback.queueArn };
    new Rule(this, 'FeedbackRule', {
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSet.configurationSetName] } } },
      },
      targets: [new FunctionTarget(feedback, { deadLetterQueue: this.failedFeedback })],
    });
  }
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

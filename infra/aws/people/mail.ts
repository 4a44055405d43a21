import { Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { MailSender } from '#infra/aws/settings.ts';

/** Sends the service's mails through Amazon SES and receives bounces and complaints. */
export class Mail extends Construct {
  readonly configurationSet: ConfigurationSet;
  /** DNS records to create for the sender's domain; empty if it is already verified. */
  readonly dnsRecords: readonly string[];
  readonly #sender: MailSender;
  readonly #identityArn: string;

  constructor(scope: Construct, id: string, sender: MailSender) {
    super(scope, id);
    this.#sender = sender;
    this.configurationSet = new ConfigurationSet(this, 'Set', {
      reputationMetrics: true,
      // The suppression list is account-wide: an address that one service suppresses is suppressed for all.
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    if (sender.identityArn !== undefined) {
      this.#identityArn = sender.identityArn;
      this.dnsRecords = [];
    } else {
      const domain = domainOf(sender.fromAddress);
      const identity = new EmailIdentity(this, 'Identity', { identity: Identity.domain(domain) });
      this.#identityArn = identity.emailIdentityArn;
      this.dnsRecords = [
        ...identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`),
        // Large mail providers refuse senders of many mails without a policy. This policy only states that one exists.
        `_dmarc.${domain} TXT "v=DMARC1; p=none"`,
      ];
    }
  }

  get environment(): Record<string, string> {
    return { MAIL_FROM: this.#sender.fromAddress, MAIL_CONFIGURATION_SET: this.configurationSet.configurationSetName };
  }

  get #setArn(): string {
    const resourceName = this.configurationSet.configurationSetName;
    return Stack.of(this).formatArn({ service: 'ses', resource: 'configuration-set', resourceName });
  }

  /** Permission to send from the configured sender with the configured configuration set. */
  get permission(): PolicyStatement {
    return new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [this.#identityArn, this.#setArn],
      conditions: { StringEquals: { 'ses:FromAddress': this.#sender.fromAddress } },
    });
  }

  /** Delivers bounces and complaints of this installation's mails to a function. */
  tell(feedback: LambdaFunction): void {
    new Rule(this, 'FeedbackRule', {
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSet.configurationSetName] } } },
      },
      targets: [new FunctionTarget(feedback)],
    });
  }
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

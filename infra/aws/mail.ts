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

/** Sends the service's mails through Amazon SES, and learns which of them came back. */
export class Mail extends Construct {
  readonly configurationSet: ConfigurationSet;
  /** DNS records to be made for the sender's domain; none where it is verified already. */
  readonly dnsRecords: readonly string[];
  readonly #sender: MailSender;
  readonly #identityArn: string;

  constructor(scope: Construct, id: string, sender: MailSender) {
    super(scope, id);
    this.#sender = sender;
    this.configurationSet = new ConfigurationSet(this, 'Set', {
      reputationMetrics: true,
      // Of the whole account: what one service learns spares the others.
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
      const identity = new EmailIdentity(this, 'Identity', { identity: Identity.domain(domainOf(sender.fromAddress)) });
      this.#identityArn = identity.emailIdentityArn;
      this.dnsRecords = identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`);
    }
  }

  get environment(): Record<string, string> {
    return { MAIL_FROM: this.#sender.fromAddress, MAIL_CONFIGURATION_SET: this.configurationSet.configurationSetName };
  }

  get #setArn(): string {
    const resourceName = this.configurationSet.configurationSetName;
    return Stack.of(this).formatArn({ service: 'ses', resource: 'configuration-set', resourceName });
  }

  /** To send as the one sender, by the one configuration set. */
  get permission(): PolicyStatement {
    return new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [this.#identityArn, this.#setArn],
      conditions: { StringEquals: { 'ses:FromAddress': this.#sender.fromAddress } },
    });
  }

  /** Lets a function know what comes back of the mails of this installation. */
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

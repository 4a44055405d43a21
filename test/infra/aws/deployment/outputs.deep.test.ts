import { expect, it } from 'vitest';
import { recordIn } from '#infra/aws/deployment/deployment-record.ts';
import { only, templateWith } from '#test/infra/aws/synthesized.ts';

it('the stack records its settings without secrets, and the URLs and names that commands need', () => {
  const settings = { stage: 'prod', alarmEmail: 'ops@acme.test', proxySecrets: 'secret-of-a-proxy' };
  const { properties } = only(templateWith(settings), 'AWS::SSM::Parameter');
  expect(properties).toMatchObject({ Name: '/referral-tracking/prod/deployed', Type: 'String' });
  const parts: unknown[] = properties.Value['Fn::Join'][1];
  const text = parts.map((part) => (typeof part === 'string' ? part : Object.keys(part as object)[0])).join('');
  expect(recordIn(text, 'The template')).toEqual({
    settings: {
      firstDeployment: 'false',
      edgeLog: 'false',
      alarmEmail: 'ops@acme.test',
      canary: 'false',
      webhookConcurrency: '2',
      edgeOnly: 'true',
      edgeSecretVersion: '1',
      productName: 'Referrals',
      signUp: 'open',
      currencies: 'USD,EUR,VND',
      unusedClickDays: '90',
      platformFeeBps: '350',
      newRecipientsPerDay: '50',
      mostNewRecipientsPerDay: '500',
      proxySecrets: '1',
      requireMfa: 'true',
      threatProtection: 'false',
    },
    outputs: { BaseUrl: 'https://Fn::GetAtt', TableName: 'Ref' },
  });
});

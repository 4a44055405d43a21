import { describe, expect, it } from 'vitest';
import { deployers } from '#infra/routes.ts';
import { only, propertiesOf, serviceFunctions, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();
const { id, properties } = only(template, 'AWS::CloudFormation::CustomResource');

it('the secret between CloudFront and the functions is made by one function, again for each new version in the settings', () => {
  expect(deployers.map((each) => each.function)).toEqual(['deploy/edge-secret']);
  expect(properties.version).toBe('1');
  const rolled = only(templateWith({ edgeSecretVersion: '2026-12' }), 'AWS::CloudFormation::CustomResource');
  expect(rolled.properties.version).toBe('2026-12');
  const providers = propertiesOf(template, 'AWS::Lambda::Function').filter(({ Environment }) =>
    JSON.stringify(Environment ?? {}).includes('USER_ON_EVENT_FUNCTION_ARN'),
  );
  const maker = Object.entries(template.findResources('AWS::Lambda::Function')).find(
    ([, { Properties }]) => Properties.Description === 'functions/deploy/edge-secret.ts',
  );
  expect(providers.map(({ Environment }) => Environment.Variables.USER_ON_EVENT_FUNCTION_ARN)).toEqual([
    { 'Fn::GetAtt': [maker![0], 'Arn'] },
  ]);
});

describe('the function that makes the secret between CloudFront and the functions', () => {
  it('has permissions on the table only', () => {
    const maker = serviceFunctions(template).find(
      ({ Description }) => Description === 'functions/deploy/edge-secret.ts',
    );
    expect(Object.keys(maker.Environment.Variables)).toEqual(['TABLE_NAME']);
    const [, onTable, ...others] = statementsOf(template, 'deploy/edge-secret');
    expect(onTable).toMatchObject({ Action: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] });
    expect(others).toMatchObject([{ Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] }]);
  });

  it('has a timeout that is long enough to wait until its permissions are in effect', () => {
    const maker = serviceFunctions(template).find(
      ({ Description }) => Description === 'functions/deploy/edge-secret.ts',
    );
    expect(maker.Timeout).toBe(29);
  });

  it('cannot be called over HTTP', () => {
    const integrations = JSON.stringify(propertiesOf(template, 'AWS::ApiGatewayV2::Integration'));
    expect(integrations).not.toContain('deployedgesecret');
  });
});

it('the secret between CloudFront and the functions appears only in the distribution’s settings, and in no output', () => {
  const mentions = Object.values<{ Type: string }>(template.toJSON().Resources).filter((resource) =>
    JSON.stringify(resource).includes(JSON.stringify({ 'Fn::GetAtt': [id, 'secret'] })),
  );
  expect(mentions.map(({ Type }) => Type)).toEqual(['AWS::CloudFront::Distribution']);
  expect(JSON.stringify(template.toJSON().Outputs)).not.toContain(id);
});

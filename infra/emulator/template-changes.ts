import {
  isObject,
  replaced,
  type Properties,
  type Resource,
  type Template,
  type Value,
} from '#infra/emulator/template.ts';

export interface TemplateChange {
  /** The feature that the emulator lacks, for which the template is changed. */
  readonly reason: string;
  readonly apply: (template: Template, emulator: { readonly port: number }) => Template;
}

const without = (template: Template, isLeftOut: (resource: Resource) => boolean): Template => ({
  ...template,
  Resources: Object.fromEntries(Object.entries(template.Resources).filter(([, resource]) => !isLeftOut(resource))),
});

const idsOf = (template: Template, type: string): readonly string[] =>
  Object.entries(template.Resources).flatMap(([id, resource]) => (resource.Type === type ? [id] : []));

const joined = (...parts: Value[]): Properties => ({ 'Fn::Join': ['', parts] });

/** All changes that a template for AWS needs to work with MiniStack 1.5.33. */
export const templateChanges: readonly TemplateChange[] = [
  {
    reason: 'It has no style of the sign-in pages.',
    apply: (template) => without(template, ({ Type }) => Type === 'AWS::Cognito::ManagedLoginBranding'),
  },
  {
    reason: 'It has no alarms that calculate with several metrics.',
    apply: (template) =>
      without(template, ({ Type, Properties: own }) => Type === 'AWS::CloudWatch::Alarm' && own?.Metrics !== undefined),
  },
  {
    reason: 'The attribute ProviderURL of its pools is not the issuer that their tokens name.',
    apply: (template) => {
      const pools = idsOf(template, 'AWS::Cognito::UserPool');
      return replaced(template, (value) => {
        const pool = pools.find((id) => isAttribute(value, id, 'ProviderURL'));
        return pool && joined('https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: pool });
      });
    },
  },
  {
    reason: 'The keys of a pool are at the emulator, not at the issuer.',
    apply: (template, { port }) =>
      replaced(template, (value) => {
        if (!isObject(value) || !isObject(value.OIDC_JWKS_URL)) return undefined;
        const [, [issuer]] = value.OIDC_JWKS_URL['Fn::Join'] as [string, [Value]];
        const pool = { 'Fn::Select': [3, { 'Fn::Split': ['/', issuer] }] };
        return { ...value, OIDC_JWKS_URL: joined(`http://127.0.0.1:${port}/`, pool, '/.well-known/jwks.json') };
      }),
  },
  {
    reason: 'Ref of a secret is its name, and not its ARN.',
    apply: (template) => {
      const secrets = idsOf(template, 'AWS::SecretsManager::Secret');
      return replaced(template, (value) => {
        const id = isObject(value) ? value.Ref : undefined;
        if (typeof id !== 'string' || !secrets.includes(id)) return undefined;
        return { 'Fn::GetAtt': [id, 'Arn'] };
      });
    },
  },
  {
    reason: 'Its edge calls no host of AWS: the API is at the emulator itself.',
    apply: (template, { port }) => {
      const [api] = idsOf(template, 'AWS::ApiGatewayV2::Api');
      return replaced(template, (value) => {
        if (!isObject(value) || !isObject(value.CustomOriginConfig)) return undefined;
        return {
          ...value,
          DomainName: '127.0.0.1',
          OriginPath: joined('/_aws/execute-api/', { Ref: api! }, '/$default'),
          CustomOriginConfig: { OriginProtocolPolicy: 'http-only', HTTPPort: port },
        };
      });
    },
  },
  {
    reason: 'Its identities of SES have no records for DNS.',
    apply: (template) => {
      const identities = idsOf(template, 'AWS::SES::EmailIdentity');
      return replaced(template, (value) => {
        const named = isObject(value) ? value['Fn::GetAtt'] : undefined;
        if (!Array.isArray(named) || !identities.includes(String(named[0]))) return undefined;
        return String(named[1]).startsWith('DkimDNSToken') ? String(named[1]) : undefined;
      });
    },
  },
  {
    reason: 'Its IAM is asked about a mail without identity and sender.',
    apply: (template) =>
      replaced(template, (value) => {
        if (!isObject(value) || value.Action !== 'ses:SendEmail') return undefined;
        return { Effect: value.Effect!, Action: value.Action, Resource: '*' };
      }),
  },
  {
    reason: 'Its IAM is asked about a key without the encryption context of the call.',
    apply: (template) =>
      replaced(template, (value) => {
        if (!isObject(value) || !JSON.stringify(value.Condition ?? null).includes('kms:EncryptionContextKeys'))
          return undefined;
        const { Condition: _, ...statement } = value;
        return statement;
      }),
  },
  {
    reason: 'All of its calls are plain HTTP.',
    apply: (template) =>
      replaced(template, (value) => {
        if (!isObject(value) || !Array.isArray(value.Statement)) return undefined;
        const statements = value.Statement as readonly Properties[];
        if (!statements.some((each) => deniesPlain(each))) return undefined;
        return { ...value, Statement: statements.filter((each) => !deniesPlain(each)) };
      }),
  },
];

const deniesPlain = ({ Effect, Condition }: Properties): boolean =>
  Effect === 'Deny' && JSON.stringify(Condition ?? null).includes('aws:SecureTransport');

function isAttribute(value: Value, id: string, attribute: string): boolean {
  const named = isObject(value) ? value['Fn::GetAtt'] : undefined;
  return Array.isArray(named) && named[0] === id && named[1] === attribute;
}

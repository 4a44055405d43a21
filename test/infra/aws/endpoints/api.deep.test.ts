import { describe, expect, it } from 'vitest';
import { deployedFunctions, nestedStackOf } from '#infra/deployed-functions.ts';
import { routes } from '#infra/routes.ts';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();

describe('the routes of the API', () => {
  it('are exactly those in infra/routes.ts and the default route', () => {
    const deployed = propertiesOf(template, 'AWS::ApiGatewayV2::Route');
    expect(deployed).toHaveLength(routes.length + 1);
    expect(new Set(deployed.map(({ RouteKey }) => RouteKey))).toEqual(
      new Set([...routes.map(({ method, path }) => `${method} ${path}`), '$default']),
    );
  });

  it.each([...routes.map((route) => [`${route.method} ${route.path}`, route.function]), ['$default', 'not-found']])(
    'send %s to the function functions/%s',
    (routeKey, functionName) => {
      const route = propertiesOf(template, 'AWS::ApiGatewayV2::Route').find(({ RouteKey }) => RouteKey === routeKey);
      const [, [, { Ref: integrationId }]] = route.Target['Fn::Join'];
      const integration = template.findResources('AWS::ApiGatewayV2::Integration')[integrationId]!.Properties;
      const functionId = integration.IntegrationUri['Fn::GetAtt'][0];
      const { Description } = template.findResources('AWS::Lambda::Function')[functionId]!.Properties;
      expect(Description).toBe(`functions/${functionName}.ts`);
    },
  );

  it('call their functions with payload format 2.0', () => {
    const integrations = propertiesOf(template, 'AWS::ApiGatewayV2::Integration');
    expect(integrations).not.toHaveLength(0);
    for (const integration of integrations) {
      expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });
});

describe('API Gateway may invoke', () => {
  const resources = template.toJSON().Resources;
  const integrations = propertiesOf(template, 'AWS::ApiGatewayV2::Integration');
  const functionOf = (integration: (typeof integrations)[number]): string =>
    integration.IntegrationUri['Fn::GetAtt'][0];
  const namesOf = (functionIds: readonly string[]): string[] =>
    functionIds.map((id) => resources[id].Properties.Description.slice('functions/'.length, -'.ts'.length));
  const eventFunctions = [
    'track/click',
    'track/lead',
    'track/sale',
    'track/refund',
    'track/stripe',
    'track/preflight',
    'webhooks/stripe/platform',
    'webhooks/stripe/program',
  ];

  it('the functions that receive events, by a permission on each function for its own routes', () => {
    const withoutRole = integrations.filter(({ CredentialsArn }) => CredentialsArn === undefined);
    expect(namesOf(withoutRole.map(functionOf))).toEqual(eventFunctions);
    const permissions = propertiesOf(template, 'AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal !== 'events.amazonaws.com',
    );
    const paths = deployedFunctions.flatMap(({ name, routes: served }) =>
      eventFunctions.includes(name) ? served.map(({ path }) => [name, `/*/*${path}`]) : [],
    );
    const allowed = permissions.map(({ FunctionName, SourceArn }) => [
      ...namesOf([FunctionName['Fn::GetAtt'][0]]),
      SourceArn['Fn::Join'][1].at(-1),
    ]);
    expect(allowed).toEqual(paths);
    for (const { Principal, Action, SourceArn } of permissions) {
      expect({ Principal, Action }).toEqual({ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' });
      expect(SourceArn['Fn::Join'][1]).toContainEqual({ Ref: expect.stringMatching(/^ApiHttpApi/) });
    }
  });

  interface Role {
    readonly Ref: string;
  }
  const inRole = integrations.filter(({ CredentialsArn }) => CredentialsArn !== undefined);
  const policies = Object.entries(template.findResources('AWS::IAM::ManagedPolicy'));
  const statementOf = ({ Properties }: (typeof policies)[number][1]) => Properties.PolicyDocument.Statement[0];
  const invokedBy = (policy: (typeof policies)[number][1]): string[] =>
    // A single ARN is not in a list.
    [statementOf(policy).Resource].flat().map((arn: { 'Fn::GetAtt': [string, string] }) => arn['Fn::GetAtt'][0]);

  it('all other functions of a nested stack, by one role that permits nothing else', () => {
    const byRole = Map.groupBy(inRole, ({ CredentialsArn }) => CredentialsArn['Fn::GetAtt'][0] as string);
    const stacks = new Set(
      deployedFunctions.filter(({ takesEvents }) => !takesEvents).map(({ name }) => nestedStackOf(name)),
    );
    expect(byRole.size).toBe(stacks.size);
    for (const [roleId, ofRole] of byRole) {
      expect(resources[roleId].Properties).toEqual({
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
          ],
        },
      });
      const ofThis = policies.filter(([, { Properties }]) => Properties.Roles.some(({ Ref }: Role) => Ref === roleId));
      for (const [, policy] of ofThis) {
        expect(policy.Properties.Roles).toEqual([{ Ref: roleId }]);
        expect(policy.Properties.PolicyDocument.Statement).toEqual([
          { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.anything() },
        ]);
      }
      expect(ofThis.flatMap(([, policy]) => invokedBy(policy)).toSorted()).toEqual(ofRole.map(functionOf).toSorted());
      const attached = propertiesOf(template, 'AWS::IAM::Policy').flatMap(({ Roles }) => Roles);
      expect(attached).not.toContainEqual({ Ref: roleId });
    }
    const roleIds = policies.flatMap(([, { Properties }]) => Properties.Roles.map(({ Ref }: Role) => Ref));
    expect(new Set(roleIds)).toEqual(new Set(byRole.keys()));
  });

  it('a function from its first request on, because its route and integration are created after the role’s policy', () => {
    for (const type of ['AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Route']) {
      for (const { Properties, DependsOn = [] } of Object.values(template.findResources(type))) {
        const integration = Properties.Target
          ? resources[Properties.Target['Fn::Join'][1][1].Ref].Properties
          : Properties;
        if (!integration.CredentialsArn) continue;
        const [policyId] = policies.find(([, policy]) => invokedBy(policy).includes(functionOf(integration)))!;
        expect(DependsOn).toContain(policyId);
      }
    }
  });

  it('all functions, by policies that stay below IAM’s size limit even with the longest possible names', () => {
    const longestArn = `arn:aws-us-gov:lambda:ap-southeast-2:123456789012:function:${'n'.repeat(64)}`;
    for (const [, policy] of policies) {
      const { Version } = policy.Properties.PolicyDocument;
      const Statement = [{ ...statementOf(policy), Resource: invokedBy(policy).map(() => longestArn) }];
      expect(JSON.stringify({ Version, Statement }).length).toBeLessThan(6_144);
    }
  });
});

it('API Gateway has no CORS settings, because the functions answer preflight requests', () => {
  expect(propertiesOf(template, 'AWS::ApiGatewayV2::Api')).toEqual([{ Name: 'Service', ProtocolType: 'HTTP' }]);
});

describe('the stage of the API', () => {
  const [stage] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage');

  it('is the default stage, and is deployed automatically with every change', () => {
    expect(stage).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('throttles all callers together', () => {
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 1_000 });
  });

  it('throttles clicks and leads at a lower rate, so that capacity remains for sales and payments', () => {
    const ofEach = { ThrottlingRateLimit: 750, ThrottlingBurstLimit: 375 };
    expect(stage.RouteSettings).toEqual({ 'POST /api/v1/track/click': ofEach, 'POST /api/v1/track/lead': ofEach });
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = stage.DefaultRouteSettings;
    expect(2 * ofEach.ThrottlingRateLimit).toBeLessThan(ThrottlingRateLimit);
    expect(2 * ofEach.ThrottlingBurstLimit).toBeLessThan(ThrottlingBurstLimit);
  });

  it('is created after the routes that its throttling names, because API Gateway checks that they exist', () => {
    const routesById = template.findResources('AWS::ApiGatewayV2::Route');
    const { DependsOn } = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'))[0]!;
    const before = [DependsOn].flat().map((id) => routesById[id]?.Properties.RouteKey);
    expect(before).toEqual(expect.arrayContaining(Object.keys(stage.RouteSettings)));
  });

  it('logs each request without caller, path or query', () => {
    const variables = Object.values<string>(JSON.parse(stage.AccessLogSettings.Format));
    expect(variables).toContain('$context.routeKey');
    expect(variables).toContain('$context.status');
    for (const variable of variables) expect(variable).not.toMatch(/identity|authorizer|path|query|userAgent|header/i);
  });
});

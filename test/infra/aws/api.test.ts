import { describe, expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();

describe('routes', () => {
  it('are those of the index and the fallback, and no others', () => {
    const deployed = propertiesOf(template, 'AWS::ApiGatewayV2::Route');
    expect(deployed).toHaveLength(routes.length + 1);
    expect(new Set(deployed.map(({ RouteKey }) => RouteKey))).toEqual(
      new Set([...routes.map(({ method, path }) => `${method} ${path}`), '$default']),
    );
  });

  it.each([...routes.map((route) => [`${route.method} ${route.path}`, route.function]), ['$default', 'not-found']])(
    '%s goes to functions/%s',
    (routeKey, functionName) => {
      const route = propertiesOf(template, 'AWS::ApiGatewayV2::Route').find(({ RouteKey }) => RouteKey === routeKey);
      const [, [, { Ref: integrationId }]] = route.Target['Fn::Join'];
      const integration = template.findResources('AWS::ApiGatewayV2::Integration')[integrationId]!.Properties;
      const functionId = integration.IntegrationUri['Fn::GetAtt'][0];
      const { Description } = template.findResources('AWS::Lambda::Function')[functionId]!.Properties;
      expect(Description).toBe(`functions/${functionName}.ts`);
    },
  );

  it('hand over events in payload format 2.0', () => {
    const integrations = propertiesOf(template, 'AWS::ApiGatewayV2::Integration');
    expect(integrations).not.toHaveLength(0);
    for (const integration of integrations) {
      expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });

  it('are each allowed to invoke their function, and only from this API', () => {
    const permissions = propertiesOf(template, 'AWS::Lambda::Permission');
    expect(permissions).toHaveLength(routes.length + 1);
    for (const { Principal, Action, SourceArn } of permissions) {
      expect({ Principal, Action }).toEqual({
        Principal: 'apigateway.amazonaws.com',
        Action: 'lambda:InvokeFunction',
      });
      expect(SourceArn['Fn::Join'][1]).toContainEqual({ Ref: expect.stringMatching(/^ApiHttpApi/) });
    }
  });
});

it('leaves CORS to the functions', () => {
  expect(propertiesOf(template, 'AWS::ApiGatewayV2::Api')).toEqual([{ Name: 'Service', ProtocolType: 'HTTP' }]);
});

describe('the stage', () => {
  const [stage] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage');

  it('is the default one, deployed with every change', () => {
    expect(stage).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('throttles all callers together', () => {
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 1_000 });
  });

  it('throttles clicks and leads apart, so that their floods leave the rest to sales and payments', () => {
    const ofEach = { ThrottlingRateLimit: 750, ThrottlingBurstLimit: 375 };
    expect(stage.RouteSettings).toEqual({ 'POST /api/v1/track/click': ofEach, 'POST /api/v1/track/lead': ofEach });
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = stage.DefaultRouteSettings;
    expect(2 * ofEach.ThrottlingRateLimit).toBeLessThan(ThrottlingRateLimit);
    expect(2 * ofEach.ThrottlingBurstLimit).toBeLessThan(ThrottlingBurstLimit);
  });

  it('comes after the routes that it names, which API Gateway looks for', () => {
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

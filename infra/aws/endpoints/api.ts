import { type Duration, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { GatewayRole } from '#infra/aws/endpoints/gateway-role.ts';
import { stackUuid } from '#infra/aws/stack-uuid.ts';
import type { Stage } from '#infra/aws/stages.ts';

/** Limit per second for all callers together, against floods. The functions enforce the limits per caller. */
const THROTTLE = { rateLimit: 2_000, burstLimit: 1_000 };

/**
 * Limit per second for each public route. All public routes together leave a quarter of the limit above to sales and
 * payments.
 */
const PUBLIC_THROTTLE = { ThrottlingRateLimit: 750, ThrottlingBurstLimit: 375 };

/** Logs the route instead of the path, without query and caller, so that the log contains no personal data. */
export const accessLogFields = {
  time: '$context.requestTime',
  gateway_request_id: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  response_bytes: '$context.responseLength',
  response_milliseconds: '$context.responseLatency',
  function_milliseconds: '$context.integrationLatency',
  function_error: '$context.integrationErrorMessage',
  gateway_error: '$context.error.message',
};

/** What all routes of one nested stack share. */
interface Place {
  readonly routes: Construct;
  readonly role: GatewayRole;
}

/**
 * The HTTP API. It has no CORS settings: preflight replies depend on the programs' settings and come from a function.
 */
export class Api extends Construct {
  /** The API's own host name; callers use that of CloudFront. */
  readonly host: string;
  readonly accessLog: LogGroup;
  readonly #httpApi: HttpApi;
  readonly #stage: HttpStage;
  readonly #places = new Map<Stack, Place>();
  readonly #routeSettings: Record<string, typeof PUBLIC_THROTTLE> = {};

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const stack = Stack.of(this);
    const { stackName, region, urlSuffix } = stack;
    this.#httpApi = new HttpApi(this, 'HttpApi', { apiName: stackName, createDefaultStage: false });
    this.#places.set(stack, { routes: this.#httpApi, role: new GatewayRole(this, 'Gateway') });
    this.host = `${this.#httpApi.apiId}.execute-api.${region}.${urlSuffix}`;

    this.accessLog = new LogGroup(this, 'AccessLog', {
      // The `/aws/vendedlogs/` prefix keeps the account's log delivery policy from growing by one entry per log group.
      // The rest is unique per creation of the stack: otherwise, a log group that an earlier stack left behind would
      // block the creation.
      logGroupName: `/aws/vendedlogs/${stackName}/${stackUuid(stack)}/access`,
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.#httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    acknowledgeAuthentication(this);
  }

  /**
   * Adds the function's routes to the nested stack of the function. A function without routes gets the default route.
   */
  serve({ name, routes, uses, takesEvents }: DeployedFunction, handler: IFunction): void {
    const httpApi = this.#httpApi;
    const place = this.#placeIn(Stack.of(handler));
    // Other functions share a role by which API Gateway may call them. A function that receives clicks, sales or
    // payments has its own permission instead, so that no change of the role can break it. That costs one more resource
    // per route.
    const integration = takesEvents ? new HttpLambdaIntegration(name, handler) : place.role.integration(name, handler);
    for (const { method, path } of routes) {
      const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
      const added = new HttpRoute(place.routes, `${method}${path}`, { httpApi, routeKey, integration });
      if (uses.includes('public')) this.#throttle(routeKey.key, added);
    }
    if (routes.length === 0) {
      new HttpRoute(this, 'Fallback', { httpApi, routeKey: HttpRouteKey.DEFAULT, integration });
    }
  }

  /**
   * Returns the construct for the routes of a nested stack, and the stack's own role for API Gateway. One role in the
   * main stack would have to refer to functions of all nested stacks, and so make the stacks depend on each other.
   */
  #placeIn(stack: Stack): Place {
    const known = this.#places.get(stack);
    if (known) return known;
    const routes = new Construct(stack, 'Api');
    acknowledgeAuthentication(routes);
    const made = { routes, role: new GatewayRole(routes, 'Gateway') };
    this.#places.set(stack, made);
    return made;
  }

  #throttle(routeKey: string, added: HttpRoute): void {
    this.#routeSettings[routeKey] = PUBLIC_THROTTLE;
    (this.#stage.node.defaultChild as CfnStage).routeSettings = this.#routeSettings;
    // API Gateway rejects settings for a route that does not exist yet.
    this.#stage.node.addDependency(added);
  }

  /** A metric of API Gateway over all requests of this API. */
  metric(metricName: string, statistic: string, period?: Duration): Metric {
    const dimensionsMap = { ApiId: this.#httpApi.apiId };
    return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, statistic, period });
  }
}

const acknowledgeAuthentication = (routes: Construct): void =>
  Validations.of(routes).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'The functions authenticate by program key, login token or agent key, each with its own replies and rotation ' +
      'notices, which a gateway authorizer cannot send; click, lead and login are public by specification.',
  });

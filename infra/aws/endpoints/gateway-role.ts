import { createHash } from 'node:crypto';
import {
  type HttpRouteIntegration,
  type HttpRouteIntegrationBindOptions,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * The number of policies among which the functions are distributed. A policy is limited to 6,144 characters, enough for
 * 48 functions with the longest names. Changing this number would move functions between policies, and during that
 * update API Gateway could not invoke them.
 */
const POLICIES = 4;

/** The role with which API Gateway invokes functions. It names each function, and replaces one permission per route. */
export class GatewayRole extends Construct {
  readonly #role: Role;
  readonly #policies = new Map<number, { readonly policy: ManagedPolicy; readonly invoke: PolicyStatement }>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  }

  integration(name: string, handler: IFunction): HttpRouteIntegration {
    const { policy, invoke } = this.#policyOf(name);
    invoke.addResources(handler.functionArn);
    return new InvokedInRole(name, handler, this.#role, policy);
  }

  /**
   * Chooses the policy by a hash of the function's name, so that a function stays in its policy when other functions
   * are added or removed.
   */
  #policyOf(name: string) {
    const number = createHash('sha256').update(name).digest().readUInt32BE() % POLICIES;
    const known = this.#policies.get(number);
    if (known) return known;
    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
    const policy = new ManagedPolicy(this, `Policy${number}`, { roles: [this.#role], statements: [invoke] });
    const made = { policy, invoke };
    this.#policies.set(number, made);
    return made;
  }
}

class InvokedInRole extends HttpLambdaIntegration {
  readonly #role: Role;
  readonly #policy: ManagedPolicy;

  constructor(id: string, handler: IFunction, role: Role, policy: ManagedPolicy) {
    super(id, handler);
    this.#role = role;
    this.#policy = policy;
  }

  override bind(options: HttpRouteIntegrationBindOptions): HttpRouteIntegrationConfig {
    return { ...super.bind(options), credentials: IntegrationCredentials.fromRole(this.#role) };
  }

  /** Replaces the method of the base class, which would add a permission for each route. */
  protected override completeBind({ route }: HttpRouteIntegrationBindOptions): void {
    // API Gateway must not use the role before the policy is attached.
    route.node.addDependency(this.#policy);
  }
}

import { describe, expect, it } from 'vitest';
import { deployedFunctions, nestedStackOf } from '#infra/deployed-functions.ts';
import { serviceFunctions, synthesizedWith } from '#test/infra/aws/synthesized.ts';

const { stacks } = synthesizedWith({ mailFrom: 'referrals@acme.test', alarmEmail: 'ops@acme.test' });

const namesIn = (stack: string): string[] =>
  serviceFunctions(stacks.get(stack)!).map(({ Description }) => Description.slice('functions/'.length, -'.ts'.length));

describe('the nested stacks', () => {
  it.each(deployedFunctions)('each contain the functions of one folder: $name', ({ name }) => {
    expect(namesIn(nestedStackOf(name) ?? 'main')).toContain(name);
  });

  it('get fewer parameters from the main stack than the CloudFormation limit, and contain no shared resources', () => {
    for (const [name, nested] of stacks) {
      if (name === 'main') continue;
      const { Parameters, Resources } = nested.toJSON();
      expect(Object.keys(Parameters).length).toBeLessThanOrEqual(200);
      const types = new Set(Object.values<{ Type: string }>(Resources).map(({ Type }) => Type));
      expect(types).not.toContain('AWS::ApiGatewayV2::Api');
      expect(types).not.toContain('AWS::DynamoDB::GlobalTable');
      expect(types).not.toContain('AWS::Logs::LogGroup');
    }
  });

  it('have no circular dependencies', () => {
    const { Resources } = stacks.get('main')!.toJSON();
    const waiting = new Map(Object.entries(Resources).map(([id, resource]) => [id, waitedFor(resource)]));
    while (true) {
      const ready = [...waiting].filter(([, ids]) => ids.every((id) => !waiting.has(id))).map(([id]) => id);
      if (ready.length === 0) break;
      for (const id of ready) waiting.delete(id);
    }
    expect([...waiting.keys()]).toEqual([]);
  });
});

/** The resources that CloudFormation creates before a resource. */
function waitedFor(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(waitedFor);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'Ref') return [value];
    if (name === 'DependsOn') return [value].flat();
    if (name === 'Fn::GetAtt') return [value[0]];
    return waitedFor(value);
  });
}

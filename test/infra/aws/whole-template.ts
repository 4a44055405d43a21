import { type CfnResource, NestedStack, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
type Json = any;

/** The templates of a stack, as `main`, and of its nested stacks, by their names in the stack. */
export const templatesOf = (stack: Stack): Map<string, Template> =>
  new Map(
    [stack, ...nestedIn(stack)].map((each) => [each === stack ? 'main' : each.node.id, Template.fromStack(each)]),
  );

const nestedIn = (stack: Stack): NestedStack[] =>
  stack.node.findAll().filter((each): each is NestedStack => NestedStack.isNestedStack(each));

/**
 * A stack with its nested stacks as one template, so that general rules are tested for all resources. Names of nested
 * resources start with their stack's name.
 */
export function wholeTemplate(stack: Stack): Template {
  const templates = templatesOf(stack);
  const { Resources, ...rest } = structuredClone(templates.get('main')!.toJSON());
  const outputs = new Map<string, Json>();
  for (const nested of nestedIn(stack)) {
    const name = nested.node.id;
    const { Resources: inner, Outputs = {} } = templates.get(name)!.toJSON();
    const id: string = stack.resolve((nested.nestedStackResource as CfnResource).logicalId);
    const { Parameters = {} } = Resources[id].Properties;
    const place = (reference: string): Json => Parameters[reference] ?? { Ref: named(reference) };
    const named = (reference: string): string => (reference in inner ? `${name}${reference}` : reference);
    const placed = (part: Json): Json =>
      mapped(part, {
        Ref: place,
        GetAtt: ([of, attribute]) => ({ 'Fn::GetAtt': [named(of!), attribute] }),
        DependsOn: (ids) => ids.map(named),
      });
    for (const [innerId, resource] of Object.entries(inner)) Resources[named(innerId)] = placed(resource);
    for (const [output, { Value }] of Object.entries<Json>(Outputs)) {
      outputs.set(`${id}.Outputs.${output}`, placed(Value));
    }
    outputs.set(id, Object.keys(inner).map(named));
    delete Resources[id];
  }
  const whole = mapped(
    { Resources, ...rest },
    {
      Ref: (reference) => ({ Ref: reference }),
      GetAtt: ([of, attribute]) => outputs.get(`${of}.${attribute}`) ?? { 'Fn::GetAtt': [of, attribute] },
      DependsOn: (ids) => ids.flatMap((id) => outputs.get(id) ?? [id]),
    },
  );
  return Template.fromJSON(whole);
}

interface References {
  readonly Ref: (reference: string) => Json;
  readonly GetAtt: (of: readonly string[]) => Json;
  readonly DependsOn: (ids: readonly string[]) => string[];
}

/** A part of a template with other references. */
function mapped(part: Json, references: References): Json {
  if (Array.isArray(part)) return part.map((each) => mapped(each, references));
  if (typeof part !== 'object' || part === null) return part;
  if (typeof part.Ref === 'string') return references.Ref(part.Ref);
  if (Array.isArray(part['Fn::GetAtt'])) return references.GetAtt(part['Fn::GetAtt']);
  return Object.fromEntries(
    Object.entries<Json>(part).map(([name, value]) => [
      name,
      name === 'DependsOn' ? references.DependsOn([value].flat()) : mapped(value, references),
    ]),
  );
}

import type { Node } from 'constructs';
import { defaultOf, type SettingName, settingNames } from '#infra/aws/setting-rules.ts';
import { checkNames, readStageFile } from '#infra/aws/stage-file.ts';
import { isStageName, type StageName, stages } from '#infra/aws/stages.ts';

/** Settings by their names, as `-c name=value` gives them. */
export type SettingTexts = Readonly<Partial<Record<SettingName, string>>>;

/** What only the command line gives: see `infra/settings.md`. */
const ONLY_COMMAND_LINE = ['stage', 'accept', 'deployed'];

/** @throws Error for an unknown stage */
export function stageFrom(node: Node): StageName {
  const stage: string = node.tryGetContext('stage') ?? 'dev';
  if (!isStageName(stage)) throw new Error(`Unknown stage "${stage}". There are ${Object.keys(stages).join(' and ')}.`);
  return stage;
}

/**
 * The settings of the command line and of the stage's file, without and with defaults.
 * @throws Error for an unknown setting, and for a file that cannot be used
 */
export function readTexts(
  node: Node,
  stage: StageName,
  stagesFolder: string | undefined,
): { readonly given: SettingTexts; readonly texts: SettingTexts } {
  const file = stagesFolder === undefined ? undefined : readStageFile(stage, stagesFolder);
  if (file) checkNames(file.names, settingNames, ` in ${file.name}`);
  if (file?.names.includes('firstDeployment')) {
    throw new Error(`${file.name} must not name firstDeployment, which is only for -c firstDeployment=true, once`);
  }
  // Names of CDK's own context contain other characters.
  const context = Object.keys(node.getAllContext()).filter((name) => /^[A-Za-z]+$/.test(name));
  checkNames(context, [...ONLY_COMMAND_LINE, ...settingNames]);
  const given: SettingTexts = Object.fromEntries(
    settingNames.map((name) => [name, node.tryGetContext(name)?.toString() ?? file?.values[name]]),
  );
  const texts = Object.fromEntries(settingNames.map((name) => [name, given[name] ?? defaultOf(name, stage)]));
  return { given, texts };
}

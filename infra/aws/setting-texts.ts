import type { Node } from 'constructs';
import { defaultOf, type SettingName, settingNames } from '#infra/aws/setting-rules.ts';
import { checkNames, readStageFile } from '#infra/aws/stage-file.ts';
import { isStageName, type StageName, stages } from '#infra/aws/stages.ts';

/** The values of settings as texts, by name, as in `-c name=value`. */
export type SettingTexts = Readonly<Partial<Record<SettingName, string>>>;

/** Values that are no settings and that only the command line can give: see `infra/settings.md`. */
const ONLY_COMMAND_LINE = ['stage', 'accept', 'deployed'];

/** The stage that the command line names. @throws Error for an unknown stage */
export function stageFrom(node: Node): StageName {
  const stage: string = node.tryGetContext('stage') ?? 'dev';
  if (!isStageName(stage)) throw new Error(`Unknown stage "${stage}". There are ${Object.keys(stages).join(' and ')}.`);
  return stage;
}

/**
 * Reads the settings from the command line and from the stage's file. Returns them with and without defaults.
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
  // The names of the CDK's own context values contain other characters than letters.
  const context = Object.keys(node.getAllContext()).filter((name) => /^[A-Za-z]+$/.test(name));
  checkNames(context, [...ONLY_COMMAND_LINE, ...settingNames]);
  const given: SettingTexts = Object.fromEntries(
    settingNames.map((name) => [name, node.tryGetContext(name)?.toString() ?? file?.values[name]]),
  );
  const texts = Object.fromEntries(settingNames.map((name) => [name, given[name] ?? defaultOf(name, stage)]));
  return { given, texts };
}

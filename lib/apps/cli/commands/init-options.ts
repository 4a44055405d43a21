import { basename } from 'node:path';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import type { Flags } from '#lib/apps/cli/commands/command-line.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import type { Prompter } from '#lib/apps/cli/machine/cli-environment.ts';

/** The settings of the program that `init` creates. */
export interface InitOptions {
  readonly name: string;
  readonly domain: string;
  readonly commissionType: string;
  readonly commissionRate: number;
  /** For how many months renewals earn commission; undefined for as long as the customer pays. */
  readonly durationMonths: number | undefined;
  readonly attributionWindowDays: number | undefined;
  readonly isSandbox: boolean;
}

const required = ['name', 'domain', 'commission-type', 'commission-rate'] as const;

const commissionTypes = [
  { value: 'recurring_percent', label: 'Percent of each sale, with renewals', hint: 'recurring_percent' },
  { value: 'percent', label: 'Percent of each sale, renewals excluded', hint: 'percent' },
  { value: 'recurring_fixed', label: 'Fixed amount per sale, with renewals', hint: 'recurring_fixed' },
  { value: 'fixed', label: 'Fixed amount per sale, renewals excluded', hint: 'fixed' },
];

/** Reads the new program's settings from the flags. @throws Failure that names all missing flags */
export function initOptionsFrom(flags: Flags): InitOptions {
  const missing = required.filter((flag) => (flags[flag] ?? '').trim() === '');
  if (missing.length > 0) {
    throw new Failure(`Missing options: ${missing.map((flag) => `--${flag}`).join(', ')}`, {
      code: 'missing_options',
      advice: 'In a terminal, without --json and --no-interactive, they are asked for.',
    });
  }
  return {
    name: flags.name ?? '',
    domain: flags.domain ?? '',
    commissionType: flags['commission-type'] ?? '',
    commissionRate: numberIn(flags, 'commission-rate') ?? Number.NaN,
    durationMonths: numberIn(flags, 'duration-months'),
    attributionWindowDays: numberIn(flags, 'attribution-window'),
    isSandbox: flags.sandbox ?? false,
  };
}

/** Asks the person for the settings that the flags do not give. */
export async function askForInitOptions(person: Prompter, { flags, world }: Invocation): Promise<InitOptions> {
  const isComplete = required.every((flag) => (flags[flag] ?? '').trim() !== '');
  return initOptionsFrom(isComplete ? flags : await answersTo(person, flags, basename(world.folder)));
}

async function answersTo(person: Prompter, flags: Flags, folderName: string): Promise<Flags> {
  const text = async (flag: keyof Flags, question: Parameters<Prompter['text']>[0]) => ({
    [flag]: flags[flag] ?? (await person.text(question)),
  });
  const name = { message: 'Name of the program', placeholder: folderName, otherwise: folderName };
  const domain = { message: 'Domain of your website', placeholder: 'example.com', problem: isNotBlank };
  const answers: Flags = { ...flags, ...(await text('name', name)), ...(await text('domain', domain)) };
  answers['commission-type'] ??= await person.choose({ message: 'What do partners earn?', options: commissionTypes });
  const type = answers['commission-type'];
  const rate = type.endsWith('percent')
    ? { message: 'How much? In percent of the payment', otherwise: '20', placeholder: '20', problem: isNotPercent }
    : {
        message: 'How much? In units of the currency: 50 is 50.00',
        otherwise: '20',
        placeholder: '20',
        problem: isNotPositive,
      };
  Object.assign(answers, await text('commission-rate', rate));
  if (type.startsWith('recurring')) {
    const months = {
      message: 'For how many months? 0 for as long as the customer pays',
      otherwise: '0',
      placeholder: '0',
      problem: isNotMonths,
    };
    Object.assign(answers, await text('duration-months', months));
  }
  const days = {
    message: 'Days between click and signup that still count',
    otherwise: '60',
    placeholder: '60',
    problem: isNotDays,
  };
  return { ...answers, ...(await text('attribution-window', days)) };
}

/** Parses a number from a flag. The service checks whether it is in the allowed range. */
function numberIn(
  flags: Flags,
  flag: 'commission-rate' | 'duration-months' | 'attribution-window',
): number | undefined {
  const text = flags[flag]?.trim();
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw new Failure(`--${flag} must be a number`);
  return number;
}

const isNotBlank = (answer: string) => (answer.trim() === '' ? 'Type a domain, such as example.com.' : undefined);

const isNotPositive = (answer: string) =>
  answer === '' || Number(answer) > 0 ? undefined : 'Type a number above 0, such as 20.';

const isNotPercent = (answer: string) =>
  answer === '' || (Number(answer) > 0 && Number(answer) <= 100)
    ? undefined
    : 'Type a number above 0 and up to 100, such as 20.';

const isWholeFrom = (least: number, most: number) => (answer: string) =>
  answer === '' || (Number.isInteger(Number(answer)) && Number(answer) >= least && Number(answer) <= most)
    ? undefined
    : `Type a whole number from ${least} to ${most}.`;

const isNotMonths = isWholeFrom(0, 120);
const isNotDays = isWholeFrom(1, 365);

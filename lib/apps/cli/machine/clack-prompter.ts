import { confirm, isCancel, select, spinner, text } from '@clack/prompts';
import { PromptCancelled, type Prompter } from '#lib/apps/cli/machine/cli-environment.ts';

/**
 * Asks questions in the terminal. They are written to `output`, so that a command's results can be redirected
 * separately.
 */
export function clackPrompter(output: NodeJS.WriteStream): Prompter {
  return {
    text: async ({ message, placeholder, otherwise, problem }) =>
      answered(
        await text({
          message,
          output,
          ...(placeholder !== undefined && { placeholder }),
          ...(otherwise !== undefined && { defaultValue: otherwise }),
          validate: (answer) => problem?.(answer ?? ''),
        }),
      ),
    choose: async ({ message, options }) => answered(await select({ message, output, options: [...options] })),
    confirm: async (message) => answered(await confirm({ message, output })),
    spin(message, cancelMessage) {
      const shown = spinner({ output, withGuide: false, cancelMessage: 'Interrupted' });
      // Without this handler, Ctrl-C during the spinner would end the process with 0, as if the command had succeeded.
      const give = () => {
        shown.cancel(cancelMessage);
        process.exitCode = 1;
      };
      process.prependOnceListener('exit', give);
      shown.start(message);
      return () => {
        process.removeListener('exit', give);
        shown.clear();
      };
    },
  };
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new PromptCancelled();
  return answer as Exclude<Answer, symbol>;
}

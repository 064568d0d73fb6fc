// All commands, each from its own file.
import { Command } from 'commander';
import { productVersion } from '../../server/src/shared/product-version.ts';
import { changeSecretCommand } from './commands/change-secret.ts';
import { clientCommands } from './commands/client.ts';
import { configCommands } from './commands/config.ts';
import { copyCommands } from './commands/copy.ts';
import { doctorCommand } from './commands/doctor.ts';
import { importCommand } from './commands/import.ts';
import { nounCommands } from './commands/nouns.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { startCommand } from './commands/start.ts';
import { videoCommand } from './commands/video.ts';

const AFTER = `
Settings, from the environment:
  TOLLGATE_URL            address of the gateway (default http://127.0.0.1:8080)
  TOLLGATE_OPERATOR_KEY   for plan, apply, export, import, accounts, tokens, channels, models,
                          requests, tasks, alerts
  TOLLGATE_TOKEN          for chat, image, speak, transcribe, embed, video, quote, usage
`;

/** With the words of a call, all that they may mean: to make every command costs more than most of them do. */
export function makeProgram(words?: readonly string[]): Command {
  const program = new Command('tollgate')
    .description('Run and use a Tollgate gateway.')
    .version(productVersion)
    .showHelpAfterError('(add --help for what can be given)')
    .addHelpText('after', AFTER)
    .exitOverride();
  const commands = [
    startCommand(),
    doctorCommand(),
    reconcileCommand(),
    ...copyCommands(),
    changeSecretCommand(),
    ...configCommands(),
    importCommand(),
    ...nounCommands(words),
    ...clientCommands(),
    videoCommand(),
  ];
  for (const command of commands) program.addCommand(withCommonOptions(command));
  return program;
}

function withCommonOptions(command: Command): Command {
  command.exitOverride().showHelpAfterError('(add --help for what can be given)');
  if (command.commands.length === 0) command.option('--json', 'print JSON for scripts');
  for (const one of command.commands) withCommonOptions(one);
  return command;
}

import type { Command } from './command.ts';

/** `!COMMAND`: typed by the user at the prompt, and nowhere else; a second mark keeps it from the model. */
export const shell: Command = {
  name: '!',
  usage: '!COMMAND',
  help: 'runs it, and the model is told; !!COMMAND is for your eyes only',
  waits: true,
  run(argument, { agent }) {
    const isQuiet = argument.startsWith('!');
    const command = (isQuiet ? argument.slice(1) : argument).trim();
    return command === '' ? undefined : agent.runCommand(command, isQuiet ? 'user' : 'model');
  },
};

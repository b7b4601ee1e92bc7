import type { CallPart } from '../../message/message.ts';
import { redact } from '../../message/redact.ts';
import { readCommand } from '../../message/tool-input.ts';
import { toolKind } from '../../message/tool-kinds.ts';

/** The command line of a shell call, without its secrets. */
export function readCommandLine({ tool, input }: CallPart): string | undefined {
  const command = toolKind(tool, input) === 'shell' ? readCommand(input) : undefined;
  return command === undefined ? undefined : redact(command);
}

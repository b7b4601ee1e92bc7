import type { CallPart } from '../../message/message.ts';
import { readCommand } from '../../message/tool-input.ts';
import { toolKind } from '../../message/tool-kinds.ts';

/** The command line of a shell call. */
export const readCommandLine = ({ tool, input }: CallPart): string | undefined =>
  toolKind(tool, input) === 'shell' ? readCommand(input) : undefined;

import { asFields, parseJson } from '@palimpsest/core/json';
import { type Ability, describeHidden, excerpt, oneCall, type PlannedCall } from '../ability.ts';

const SHOWN_LINES = 12;

/** A tool of an MCP server, by its name and with its input as it is. */
export const callTool: Ability = {
  example: 'call mcp__server__tool with {"city": "Ghent"}',
  read(sentence) {
    const [, tool, input] = /^(?:call|use) (mcp__[\w-]+)(?: with)?(?: (\{.*\}))?$/is.exec(sentence) ?? [];
    if (tool === undefined) return undefined;
    const planned: PlannedCall = { tool, input: asFields(parseJson(input ?? '')) as PlannedCall['input'] };
    return oneCall(planned, `Asking ${tool}.`, (result) =>
      result.state === 'hidden'
        ? `${tool} has answered; it is ${describeHidden(result)}.`
        : `${tool} ${result.isError ? 'failed' : 'says'}:\n${excerpt(result.text, SHOWN_LINES)}`,
    );
  },
};

import type { Problems } from '../api/problem.ts';
import { asFields, asList, given, isFields } from '../json.ts';
import { badName, missing, wrongType } from './problems.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Function tools: the chat API nests their definition, the Responses API does not. */
export function* checkTools(tools: unknown, api: 'chat' | 'responses'): Problems {
  if (!given(tools)) return;
  if (!Array.isArray(tools)) return yield wrongType('tools', 'tools', 'an array of objects', tools);
  for (const [i, tool] of asList(tools).entries()) {
    const { type } = asFields(tool);
    if (typeof type !== 'string') return yield missing(`tools.${i}.type`, 'tool-type');
    if (type !== 'function') continue;
    const path = api === 'chat' ? `tools.${i}.function` : `tools.${i}`;
    const made = api === 'chat' ? asFields(tool).function : tool;
    if (!isFields(made)) return yield missing(path, 'tool-name');
    if (typeof made.name !== 'string') yield missing(`${path}.name`, 'tool-name');
    else if (!NAME.test(made.name)) yield badName(`${path}.name`, 'tool-name');
  }
}

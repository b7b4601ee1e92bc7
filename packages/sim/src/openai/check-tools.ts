import { asFields, asList, isFields } from '@palimpsest/core/json';
import type { Problems } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import { badName, missingParameter, wrongType } from './problems.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Function tools and custom ones: the chat API nests their definition, the Responses API does not. */
export function* checkTools(tools: unknown, api: 'chat' | 'responses'): Problems {
  if (!isPresent(tools)) return;
  if (!Array.isArray(tools)) return yield wrongType('tools', 'tools', 'an array of objects', tools);
  for (const [i, tool] of asList(tools).entries()) {
    const { type } = asFields(tool);
    if (typeof type !== 'string') return yield missingParameter(`tools.${i}.type`, 'tool-type');
    if (type !== 'function' && type !== 'custom') continue;
    const path = api === 'chat' ? `tools.${i}.${type}` : `tools.${i}`;
    const made = api === 'chat' ? asFields(tool)[type] : tool;
    if (!isFields(made)) return yield missingParameter(path, 'tool-name');
    if (typeof made.name !== 'string') yield missingParameter(`${path}.name`, 'tool-name');
    else if (!NAME.test(made.name)) yield badName(`${path}.name`, 'tool-name');
  }
}

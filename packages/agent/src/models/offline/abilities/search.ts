import { type Ability, describeHidden, excerpt, oneCall } from '../ability.ts';
import { pathIn, unquote } from '../sentences.ts';

const SHOWN_LINES = 10;

export const search: Ability = {
  example: 'find where parseConfig is used',
  read(sentence) {
    const match =
      /^(?:find|show|tell me|look up|search)(?: me)? where (.+?) (?:is|are|was|were|gets) (?:used|defined|called|mentioned|set|declared|imported)(?: in (.+))?$/i.exec(
        sentence.replace(/\?$/, ''),
      ) ??
      /^where (?:is|are) (.+?) (?:used|defined|called|mentioned|declared|imported)(?: in (.+))?$/i.exec(
        sentence.replace(/\?$/, ''),
      ) ??
      /^(?:grep|search|look|find)(?: for| all)? (.+?)(?: in (.+))?$/i.exec(sentence);
    if (match === null) return undefined;
    const wanted = unquote(match[1]!);
    const path = match[2] === undefined ? undefined : pathIn(match[2]);
    const pattern = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const input = { pattern, ...(path === undefined ? {} : { path }) };
    return oneCall({ tool: 'grep', input }, `Searching for ${wanted}.`, (result) => {
      if (result.state === 'hidden') return `What the search found is ${describeHidden(result)}.`;
      if (result.text.startsWith('No line'))
        return `${wanted} does not occur${path === undefined ? '' : ` in ${path}`}.`;
      const [head = '', ...lines] = result.text.split('\n');
      return `${wanted}: ${head}\n${excerpt(lines.join('\n'), SHOWN_LINES)}`;
    });
  },
};

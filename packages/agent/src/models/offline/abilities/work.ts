import { type Ability, describeHidden, oneCall } from '../ability.ts';
import { unquote } from '../sentences.ts';

export const todo: Ability = {
  example: 'todo: write the parser, test it',
  read(sentence) {
    const match = /^(?:todo|to do|plan|make a (?:todo )?list)\s*:\s*(.+)$/i.exec(sentence);
    const items = (match?.[1] ?? '').split(/,\s*|\s+and\s+/).filter((item) => item !== '');
    if (items.length === 0) return undefined;
    const todos = items.map((content, i) => ({ content, status: i === 0 ? 'in_progress' : 'pending' }));
    return oneCall(
      { tool: 'todo_write', input: { todos } },
      'I keep a list.',
      (result) => result.text || 'The list is kept.',
    );
  },
};

export const skill: Ability = {
  example: 'use the skill NAME',
  read(sentence) {
    const name = /^(?:use|load) (?:the )?(?:skill (\S+)|(\S+) skill)$/i.exec(sentence);
    if (name === null) return undefined;
    return oneCall(
      { tool: 'load_skill', input: { name: unquote(name[1] ?? name[2]!) } },
      'Loading the skill.',
      (result) =>
        result.state === 'hidden'
          ? `The skill's text is ${describeHidden(result)}.`
          : (result.text.split('\n')[0] ?? ''),
    );
  },
};

export const delegate: Ability = {
  example: 'ask a subagent to read every file in src',
  read(sentence) {
    const background = / in the background\b/i.test(sentence);
    const prompt =
      /^(?:ask|let|have|use|start) (?:a |the )?(?:subagent|helper)(?: in the background)?(?: to|,| and)? (.+)$/i.exec(
        sentence.replace(/ in the background$/i, ''),
      )?.[1] ?? /^delegate(?: to a subagent)?\s*:\s*(.+)$/i.exec(sentence)?.[1];
    if (prompt === undefined) return undefined;
    const named = { description: prompt.split(/\s+/).slice(0, 5).join(' '), prompt };
    const input = background ? { ...named, background } : named;
    return oneCall({ tool: 'task', input }, 'A subagent takes that.', (result) =>
      result.state === 'hidden'
        ? `What the subagent said is ${describeHidden(result)}.`
        : background
          ? result.text
          : `The subagent says: ${result.text}`,
    );
  },
};

export const compact: Ability = {
  example: 'compact the conversation',
  read(sentence) {
    const part = /^compact (?:(all|everything)|(from|up to) (.+))$/i.exec(sentence);
    if (part !== null) {
      const form = part[1] !== undefined ? 'all' : /^from$/i.test(part[2]!) ? 'from' : 'up-to';
      const input = { form, ...(part[3] === undefined ? {} : { at: unquote(part[3]) }) };
      return oneCall({ tool: 'compact', input }, 'I ask for a compaction.', (result) => result.text);
    }
    const match =
      /^compact(?: (?:the |this |our )?(?:conversation|context|history))?(?:(?: and|,)? (?:mind|keep|remember) (.+))?$/i.exec(
        sentence,
      );
    if (match === null) return undefined;
    const input = match[1] === undefined ? {} : { instructions: match[1] };
    return oneCall({ tool: 'compact', input }, 'I ask for a compaction.', (result) => result.text);
  },
};

export const snip: Ability = {
  example: 'snip from m12 to m30',
  read(sentence) {
    const match = /^(?:snip|hide)(?: the middle)?(?: from (.+?) to (.+))?$/i.exec(sentence);
    if (match === null) return undefined;
    const [, from, to] = match;
    const input = from === undefined || to === undefined ? {} : { from: unquote(from), to: unquote(to) };
    return oneCall({ tool: 'snip', input }, 'I ask for a snip.', (result) => result.text);
  },
};

export const recall: Ability = {
  example: 'recall e12',
  read(sentence) {
    const wanted = /^(?:recall|look back for|what did we say about) (.+)$/i.exec(sentence.replace(/\?$/, ''))?.[1];
    if (wanted === undefined) return undefined;
    const input = /^[em]\d+(?: to e\d+)?$/.test(wanted) ? { reference: wanted } : { query: unquote(wanted) };
    return oneCall({ tool: 'recall', input }, 'Looking into what was compacted.', (result) =>
      result.state === 'hidden' ? `What was recalled is ${describeHidden(result)}.` : result.text,
    );
  },
};

import { type Ability, oneCall } from '../ability.ts';
import { pathIn, unquote } from '../sentences.ts';

export const write: Ability = {
  example: 'write "hello" to notes.txt',
  read(sentence) {
    const to = /^(?:write|save|put) ([\s\S]+) (?:to|into|in) (?:the file |a file called )?(\S+)$/i.exec(sentence);
    const create =
      /^(?:create|make|write) (?:a |the )?(?:new )?(?:file )?(\S+) (?:with|containing|that says|saying) ([\s\S]+)$/i.exec(
        sentence,
      );
    const words = to?.[1] ?? create?.[2];
    const path = pathIn(to?.[2] ?? create?.[1] ?? '');
    if (words === undefined || path === undefined) return undefined;
    const content = `${unquote(words)}\n`;
    return oneCall(
      { tool: 'write_file', input: { path, content } },
      `Writing ${path}.`,
      (result) => result.text || `${path} was written.`,
    );
  },
};

export const edit: Ability = {
  example: 'replace "1.0" with "1.1" in version.txt',
  read(sentence) {
    const match =
      /^(?:replace|change) (["“`][\s\S]+?["”`]|\S+) (?:with|by|to|into) (["“`][\s\S]*?["”`]|\S+) in (\S+)$/i.exec(
        sentence,
      );
    const path = pathIn(match?.[3] ?? '');
    if (match === null || path === undefined) return undefined;
    const input = { path, old_text: unquote(match[1]!), new_text: unquote(match[2]!) };
    return oneCall({ tool: 'edit_file', input }, `Editing ${path}.`, (result) => result.text || `${path} was edited.`);
  },
};

import { type Ability, describeHidden, excerpt, oneCall } from '../ability.ts';
import { pathIn } from '../sentences.ts';

const SHOWN_LINES = 12;

export const list: Ability = {
  example: 'list the files in src',
  read(sentence) {
    const match =
      /^(?:list|show)(?: me)?(?: all)?(?: the)? files(?: (?:in|of|under) (.+))?$|^(?:which|what) files are (?:there )?(?:in )?(.*)$/i.exec(
        sentence.replace(/\?$/, ''),
      );
    if (match === null) return undefined;
    const place = pathIn(match[1] ?? match[2] ?? '') ?? '';
    const pattern = ['', 'here', 'there', '.'].includes(place) ? '**/*' : `${place.replace(/\/+$/, '')}/**/*`;
    return oneCall({ tool: 'glob', input: { pattern, limit: 60 } }, 'Looking which files there are.', (result) => {
      if (result.state === 'hidden') return `The list is ${describeHidden(result)}.`;
      const [head = '', ...names] = result.text.split('\n');
      return `${head}\n${excerpt(names.join('\n'), SHOWN_LINES)}`;
    });
  },
};

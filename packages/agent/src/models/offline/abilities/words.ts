import { type Ability, answerFromView } from '../ability.ts';

const quote = (words: string): string => `“${words}”`;

export const firstWords: Ability = {
  example: 'what did I ask first?',
  read(sentence) {
    const asks =
      /^what (?:did|have) i (?:ask|say|said|asked|told|tell|want)/i.test(sentence) ||
      /^what (?:was|were) my /i.test(sentence);
    if (!asks || !/\?$/.test(sentence)) return undefined;
    if (/\bfirst|begin|start/i.test(sentence))
      return answerFromView(({ words }) =>
        words[0] === undefined ? 'This is the first thing you asked.' : `First you said: ${quote(words[0])}`,
      );
    if (/\blast|before|just/i.test(sentence))
      return answerFromView(({ words }) =>
        words.length === 0 ? 'You asked nothing before this.' : `Before this you said: ${quote(words.at(-1)!)}`,
      );
    return answerFromView(({ words }) =>
      words.length === 0
        ? 'This is the first thing you asked.'
        : `You said:\n${words.map((one) => `  ${quote(one)}`).join('\n')}`,
    );
  },
};

const ASKS_RULES_ZH =
  /(?:不能|不要|不可以|不许|不该|不准)(?:动|碰|改|修改|做)(?:什么|哪些|啥)|(?:有|是)(?:什么|哪些)规则/;

export const rules: Ability = {
  example: 'what must you never touch?',
  read(sentence) {
    const asks =
      /^what (?:must|should|shall|may|can|do|are) (?:you|we|i) (?:never|not|always|remember|keep|mind)/i.test(
        sentence,
      ) ||
      /^what (?:are|were) (?:the|my|your) rules/i.test(sentence) ||
      /^what (?:is|are|was) (?:off limits|forbidden)/i.test(sentence);
    if (ASKS_RULES_ZH.test(sentence))
      return answerFromView(({ rules: laid }) =>
        laid.length === 0 ? '我没有看到你定的规则。' : `你说过：\n${laid.map((rule) => `  ${quote(rule)}`).join('\n')}`,
      );
    if (!asks) return undefined;
    return answerFromView(({ rules: laid }) =>
      laid.length === 0 ? 'I see no rule of yours.' : `You said:\n${laid.map((rule) => `  ${quote(rule)}`).join('\n')}`,
    );
  },
};

const REMEMBER_ZH = /^(?:请\s*)?(?:记住|记得|不要|绝不|永远|必须|以后)/;

export const remember: Ability = {
  example: 'remember: never touch db/migrations',
  read(sentence) {
    if (REMEMBER_ZH.test(sentence))
      return answerFromView(() => `记下了：${quote(sentence)}。这句话原样留在对话里，摘要也会逐字保留它。`);
    if (!/^(?:remember|note|keep in mind|from now on|never|always|do not|don[’']t|you must|mind)\b/i.test(sentence))
      return undefined;
    return answerFromView(
      () =>
        `Noted: ${quote(sentence)}. It stands in the conversation as you said it, and a summary keeps it word for word.`,
    );
  },
};

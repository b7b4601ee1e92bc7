import { type Ability, answerFromView } from '../ability.ts';

const GREETING =
  /^(?:hi|hello|hey|help|who are you|what are you|what can you do|what do you understand|are you a language model)\b/i;
const GREETING_ZH =
  /^(?:你好|您好|帮助|帮忙)|[你您](?:是谁|是什么|叫什么)|[你您].*(?:能|会|可以|懂|支持).*[什啥哪]么?|有(?:什么|哪些)功能|怎么用/;
const HAN = /\p{Script=Han}/u;

/** What it is, and every request that it understands: told with the examples of all abilities. */
export const newAbout = (examples: () => readonly string[]): Ability => ({
  example: 'what can you do?',
  read(sentence) {
    const isHan = GREETING_ZH.test(sentence);
    if (!isHan && !GREETING.test(sentence)) return undefined;
    const [about, head] = isHan ? [ABOUT_ZH, '可以这样说：'] : [ABOUT, 'Say, for example:'];
    const all = [...(isHan ? EXAMPLES_ZH : []), ...examples()];
    return answerFromView(() => [about, head, ...all.map((example) => `  ${example}`)].join('\n'));
  },
});

export const ABOUT =
  'I am the offline model of this agent. I am not a language model: a small program that understands plain requests, calls the real tools, and answers only from the view it is given. With a key (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY) a language model takes my place.';

const ABOUT_ZH =
  '我是这个终端助手内置的离线模型。我不是语言模型，只是一个小程序：能听懂简单的英文请求和下面几句中文，调用真实的工具，并且只根据当前可见的上下文回答。设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GEMINI_API_KEY 之后，会换成真正的语言模型。';

const EXAMPLES_ZH = [
  '记住：不要动 db/migrations',
  '读取 src 里的每个文件',
  'coupons.ts 里有什么？',
  '你绝对不能动什么？',
];

/** In one line: what was not understood, and how to see what is. */
export const tellLimits = (sentence: string): string =>
  HAN.test(sentence)
    ? `我不懂“${sentence}”：我是离线程序，不是语言模型。问“你能做什么？”可以看到我懂的请求。`
    : `I cannot do “${sentence}”: I am a program, not a language model. “what can you do?” lists what I understand.`;

/** What stands in quotes is never cut. */
const QUOTED = /"[^"]*"|“[^”]*”|`[^`]*`/g;
/** Of the private use area: nobody types it. */
const MASK = '\ue000';

/** What the engine puts in the place of what it cut: never the user's words. */
const CUT_MARK = /\[…[^\]\n]*(?:…\]|\])/g;

/** A message of more lines than these holds a pasted page. */
const MOST_TYPED_LINES = 20;

const linesOf = (request: string): readonly string[] =>
  request
    .replace(CUT_MARK, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether there is a pasted page in a message, or was before the engine cut it. */
export const holdsPage = (request: string): boolean =>
  request.search(CUT_MARK) >= 0 || linesOf(request).length > MOST_TYPED_LINES;

/** Of a message with a pasted page, the lines before and behind it: what was typed. The page itself is data. */
function typedIn(request: string): string {
  if (!holdsPage(request)) return request;
  const lines = linesOf(request);
  return [lines[0], lines.at(-1)].join('\n');
}

/** The steps of a request: at "then", at semicolons, at the ends of sentences and lines. */
export function sentencesIn(said: string): readonly string[] {
  const request = typedIn(said);
  const kept: string[] = [];
  const masked = request.replace(QUOTED, (quoted) => {
    kept.push(quoted);
    return `${MASK}${kept.length - 1}${MASK}`;
  });
  return masked
    .split(/[,;.]?\s+(?:and\s+)?then\s+|;\s+|\n+|(?<=[.!?])\s+(?=\S)|(?<=[。！？；])\s*|[，,]?\s*(?:然后|接着)\s*/i)
    .map((sentence) => sentence.replace(/\ue000(\d+)\ue000/g, (_, index: string) => kept[Number(index)]!))
    .map((sentence) =>
      sentence
        .trim()
        .replace(/^(?:please|now|first|and|also)[ ,]+/i, '')
        .replace(/[.,;!。，；！]+$/, ''),
    )
    .filter((sentence) => sentence !== '')
    .map(toEnglish);
}

/** The requests of the tour in Chinese, in the words that the abilities understand. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:读取?|阅读|看看?|打开)\s*(\S+?)\s*(?:目录|文件夹)?[里中下](?:面)?的?(?:每一?个|所有|全部)(?:的)?文件$/,
    'read every file in $1',
  ],
  [/^(?:读取?|阅读|看看?|打开)(?:每一?个|所有|全部)(?:的)?文件$/, 'read every file'],
  [/^(?:读取?|阅读|查看|看看?|打开)(?:文件)?\s*(?=[\w./"“`])/, 'read '],
  [/^(\S+?)\s*[里中](?:面)?(?:有|是|写了|说了)(?:些)?(?:什么|哪些|啥).*$/, 'what was in $1'],
  [/^(?:运行|执行|跑)(?:一下)?(?:所有|全部)?的?测试$/, 'run the tests'],
  [/^(?:压缩|总结)(?:一下)?(?:对话|会话|上下文)$/, 'compact the conversation'],
];

function toEnglish(sentence: string): string {
  const plain = sentence.replace(/^请\s*/, '').replace(/[。？?！]+$/, '');
  const [shape, words] = CHINESE.find(([one]) => one.test(plain)) ?? [];
  return shape === undefined || words === undefined ? sentence : plain.replace(shape, words);
}

/** A word that looks like a path, without the quotes and the punctuation around it. */
export const pathIn = (words: string): string | undefined => {
  const bare = words
    .trim()
    .replace(/^[`"'“]|[`"'”?!,;:]+$/g, '')
    .replace(/\.$/, '');
  return bare !== '' && !/\s/.test(bare) ? bare : undefined;
};

export const isFileName = (path: string): boolean => /[./]/.test(path) || /^[A-Z]+file$/i.test(path);

/** What stands in quotes, or the words as they are. */
export const unquote = (words: string): string => words.trim().replace(/^["“`]([\s\S]*)["”`]$/, '$1');

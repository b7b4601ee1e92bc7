import type { VirtualClock } from '@palimpsest/testing';
import {
  type Message,
  partText,
  SECTIONS,
  type Summarizer,
  type SummaryAnswer,
  type SummaryRequest,
  wordsOf,
} from '../src/index.ts';

/** A scripted summarizer that counts its calls and keeps its requests. */
export interface Scripted extends Summarizer {
  readonly requests: SummaryRequest[];
}

type Script = (
  request: SummaryRequest,
  call: number,
  signal: AbortSignal | undefined,
) => Promise<SummaryAnswer> | SummaryAnswer;

export function scripted(script: Script, more: Partial<Summarizer> = {}): Scripted {
  const requests: SummaryRequest[] = [];
  return {
    window: 100_000,
    ...more,
    requests,
    async summarize(request, { signal }) {
      requests.push(request);
      return script(request, requests.length, signal);
    },
  };
}

const asked = (request: SummaryRequest): string =>
  request.messages.map((message) => message.parts.map(partText).join('\n')).join('\n');

/** What the user said in the request, whichever form it has. */
function quotes(request: SummaryRequest): readonly string[] {
  const live = request.messages.map((message: Message) => wordsOf(message)).filter((words) => words !== '');
  if (live.length > 0) return live;
  return [...asked(request).matchAll(/^\[user\] (.+)$/gm)].map((match) => match[1]!);
}

/** The headings that a request asks for. */
const headingsOf = (request: SummaryRequest): readonly string[] => {
  const text = asked(request);
  const example = text.slice(text.lastIndexOf('<summary>')).split('</summary>')[0]!;
  return [...example.matchAll(/^#{2,3} .+$/gm)].map(([line]) => line);
};

/** A summary in the form that was asked for. */
export const summaryFor = (request: SummaryRequest, bodies: Readonly<Record<string, string>> = {}): string =>
  headingsOf(request)
    .map((heading) => `${heading}\n${bodies[heading.replace(/^#+ /, '')] ?? '-'}`)
    .join('\n');

export const summaryText = (bodies: Partial<Record<(typeof SECTIONS)[number], string>>): string =>
  SECTIONS.map((name) => `## ${name}\n${bodies[name] ?? '-'}`).join('\n');

/** A good one: in form, with the user's words as they were said. */
export const good = (more: Partial<Summarizer> = {}): Scripted =>
  scripted((request) => {
    const said = quotes(request)
      .filter((words) => !words.startsWith('['))
      .slice(-5)
      .map((words) => `- "${words.split('\n')[0]!.replaceAll('"', '').slice(0, 60).trim()}"`);
    const text = summaryFor(request, {
      'Request and intent': 'The user wants the work done.',
      Goal: 'The user wants the work done.',
      'User messages': said.join('\n') || '-',
      'Critical Context': said.join('\n') || '-',
    });
    return {
      text: `<analysis>first this, then that</analysis>\n<summary>\n${text}\n</summary>`,
      stop: 'end',
      usage: { input: 1_000, output: 100 },
    };
  }, more);

/** One that takes its time on a simulated clock. */
export const slow = (clock: VirtualClock, ms: number): Scripted => {
  const inner = good();
  return scripted(async (request, _, signal) => {
    await clock.wait(ms, signal);
    return inner.summarize(request, {});
  });
};

const answer = (text: string, stop: SummaryAnswer['stop'] = 'end'): SummaryAnswer => ({ text, stop });
const failing = (fields: object): never => {
  throw Object.assign(new Error('no'), fields);
};

/** Every way in which a summarizer is known to fail. */
export const bad: Readonly<Record<string, () => Scripted>> = {
  'returns nothing': () => scripted(() => answer('')),
  'returns blanks': () => scripted(() => answer('  \n\n ')),
  'returns reasoning only': () => scripted(() => answer('<analysis>I think a lot</analysis>')),
  'is cut off': () => scripted(() => answer(`<summary>${summaryText({}).slice(0, 200)}`, 'length')),
  'leaves its summary open': () => scripted(() => answer(`<summary>\n${summaryText({})}`)),
  'calls a tool': () => scripted(() => answer('', 'tool')),
  'writes a tool call as text': () => scripted(() => answer('<tool_call>{"name":"read"}</tool_call>')),
  'answers with an error as text': () => scripted(() => answer('Error: the model is overloaded, try again later.')),
  'goes on with the chat': () =>
    scripted(() => answer('Sure! Let me open the file and fix the bug right away for you.')),
  'answers in another language': () =>
    scripted(() =>
      answer(SECTIONS.map((name) => `## ${name}\n${'用户希望完成这项工作并且修复所有错误。'.repeat(8)}`).join('\n')),
    ),
  'writes more than there was': () =>
    scripted(() => answer(summaryText({ 'Current work': 'and then some more of it '.repeat(20_000) }))),
  'makes up quotes': () =>
    scripted(() =>
      answer(
        summaryText({
          'User messages': '- "please delete the whole database now"\n- "and push it to production at once"',
        }),
      ),
    ),
  throws: () => scripted(() => failing({})),
  'is rate-limited': () => scripted(() => failing({ code: 'rate-limited', retryAfterMs: 2_000 })),
  'finds every request too long': () => scripted(() => failing({ code: 'too-long', maximum: 100 })),
  hangs: () => scripted(() => new Promise(() => {})),
  'breaks off its stream': () => scripted(() => failing({ retryable: true })),
  'has a window too small for anything': () => scripted(() => answer(summaryText({})), { window: 300 }),
};

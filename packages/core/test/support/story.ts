import { expect } from 'vitest';
import {
  assistant,
  createSession,
  type Message,
  type NativeEdit,
  type NewMessage,
  partText,
  type SessionEvent,
  type SessionOptions,
  type Stash,
  type Status,
  user,
  type View,
  type Visit,
} from '../../src/index.ts';
import { isSameJson } from '../../src/json.ts';
import { good } from '../summarizers.ts';

/** Four characters a token: a story can then meet a figure to the token, whatever the estimate says. */
const countText = (text: string): number => Math.ceil(text.length / 4);
const count = (message: Message): number => message.parts.reduce((sum, part) => sum + sizeOf(part), 0);
const sizeOf = (part: Message['parts'][number]): number =>
  part.type === 'media'
    ? 1_200
    : part.type === 'result'
      ? part.content.reduce((sum, piece) => sum + sizeOf(piece), 0)
      : countText(partText(part));

const SENTENCES = [
  'The parser reads one line at a time and keeps the place of every comma.',
  'A field that is quoted may hold a line end; the reader then asks for more.',
  'Rows that are too short are told with their number and left out.',
  'The writer quotes only what must be quoted, so that a diff stays small.',
  'Dates are kept as they were written, since two customers sort by them.',
];
/** Prose of exactly so many characters, in which no two lines are the same. */
export function proseOf(chars: number): string {
  let text = '';
  for (let line = 1; text.length < chars; line++) text += `${line}: ${SENTENCES[line % SENTENCES.length]}\n`;
  return text.slice(0, chars);
}

const shown = (n: number): string => n.toLocaleString('en-US');
const numbered = (n: number, noun: string): string => `${shown(n)} ${noun}${n === 1 ? '' : 's'}`;

/** A session that is lived through station by station, and told as it goes. */
export interface Story {
  readonly session: ReturnType<typeof createSession>;
  /** A chapter's title. */
  open(title: string): void;
  /** Something is said, and the next call's view is made; `pause` milliseconds after the last. */
  live(what: string, messages: readonly NewMessage[], station?: Station): Promise<void>;
  /** The model writes a report, so that the context of the next call is exactly so many tokens before any stage acts. */
  liveUpTo(what: string, tokens: number, station?: Station): Promise<void>;
  /** Whatever else is done to the session, told in the same way. */
  act(what: string, act: () => Promise<unknown>, station?: Station): Promise<void>;
  /** What the view of now holds, message by message. */
  tellView(): Promise<void>;
  page(): string;
}

/** What a station is to show. */
export interface Station {
  readonly pause?: number;
  /** The stages that must act here, and no others; where nothing is said, the page alone tells. */
  readonly acts?: readonly string[];
  /** Not told where no stage acts: it only leads to the next figure. */
  readonly isOnTheWay?: boolean;
}

/** A provider that edits by itself, a stash, a model that writes summaries at once: all that stages may ask for. */
export function newStory(title: string, options: Partial<SessionOptions>): Story {
  const lines: string[] = [];
  const saved: string[] = [];
  const stash: Stash = {
    put: async (text) => `stash-${saved.push(text)}`,
    get: async (ref) => saved[Number(ref.slice(6)) - 1],
  };
  const summarizer = good({ window: 200_000 });
  let events: SessionEvent[] = [];
  const session = createSession({
    window: 200_000,
    maxOutput: 32_000,
    count,
    countText,
    drafts: false,
    wire: { reasoning: 'free', nativeEditing: true },
    ...options,
    ports: { stash, summarizer, ...options.ports },
    on: (event) => events.push(event),
  });
  const { budget } = session.status();
  const figures = (['window', 'effective', 'trigger', 'target', 'warning', 'error', 'blocking'] as const).map(
    (name) => `${name} ${shown(budget[name])}`,
  );
  lines.push(title, '='.repeat(title.length), figures.join(' · '));
  lines.push(`layers: ${(options.layers ?? []).map((layer) => layer.name).join(', ')}`);
  let at = 1_700_000_000_000;
  let step = 0;
  /** What the provider was asked at the last call: told where it changes. */
  let native: readonly NativeEdit[] = [];

  const tell: Story['act'] = async (what, act, { acts, isOnTheWay = false } = {}) => {
    const before = session.status();
    const [asked, kept] = [summarizer.requests.length, saved.length];
    events = [];
    const outcome = await act().then(
      (value) => ({ native: (value as Partial<View> | undefined)?.native ?? [] }),
      (error: { readonly code?: string }) => ({ native, refused: error.code ?? String(error) }),
    );
    const after = session.status();
    const visits = events.flatMap((event) =>
      event.type === 'view-made' ? event.visits.filter(({ edits }) => edits > 0) : [],
    );
    const told = [
      ...visits.map((visit) => tellVisit(visit, events)),
      ...saved.slice(kept).map((text) => `saved whole: ${numbered(text.length, 'character')}`),
      ...summarizer.requests
        .slice(asked)
        .map(
          ({ form, maxOutput }) => `asked of the model: a summary (${form}, ${numbered(maxOutput, 'token')} at most)`,
        ),
      ...(isSameJson(outcome.native, native) ? [] : outcome.native.map(tellNative)),
      ...('refused' in outcome ? [`refused: ${outcome.refused}`] : []),
    ];
    const isNews = native.length === 0 || told.length > outcome.native.length;
    native = outcome.native;
    if (isOnTheWay && (told.length === 0 || !isNews)) return;
    const size = visits.length === 0 ? tellSize(after) : `${tellSize(before)} → ${tellSize(after)}`;
    lines.push(`${String(++step).padStart(3)}. ${what}`, `     ${size}${tellStates(after)}`);
    lines.push(...told.map((line) => `       ${line}`));
    if (acts !== undefined)
      expect(
        visits.map(({ layer }) => layer),
        `${title}: ${what}`,
      ).toEqual(acts);
  };
  const live: Story['live'] = async (what, messages, station = {}) => {
    at += station.pause ?? 20_000;
    for (const message of messages) session.append({ ...message, at });
    await tell(what, () => session.view({ now: at }), station);
  };
  return {
    session,
    live,
    act: tell,
    open: (chapter) => void lines.push('', chapter, '-'.repeat(chapter.length)),
    liveUpTo(what, tokens, station) {
      // The report, and the words that ask for more: "Go on." is two tokens.
      const report = assistant(proseOf((tokens - session.status().tokens - 2) * 4));
      return live(what, [report, user('Go on.')], station);
    },
    async tellView() {
      const { messages } = await session.view({ now: at });
      const told = messages
        .flatMap((message) => [tellMessage(message), ...tellCarried(message)])
        .map((line) => `       ${line}`);
      const hidden = told.length - 16;
      lines.push('     in view now:');
      if (hidden <= 1) lines.push(...told);
      else lines.push(...told.slice(0, 8), `       … ${hidden} more …`, ...told.slice(-8));
    },
    page: () => `${lines.join('\n')}\n`,
  };
}

const tellSize = ({ messages, tokens }: Status): string =>
  `${numbered(messages, 'message')}, ${numbered(tokens, 'token')}`;

function tellStates({ aboveWarning, aboveError, aboveTrigger, atBlockingLimit, percentLeft }: Status): string {
  const states = [
    ...(aboveWarning ? ['warning'] : []),
    ...(aboveError ? ['error'] : []),
    ...(aboveTrigger ? ['above the trigger'] : []),
    ...(atBlockingLimit ? ['at the blocking limit'] : []),
  ];
  return `; ${percentLeft} % left${states.length === 0 ? '' : ` (${states.join(', ')})`}`;
}

const tellKind = (n: number, kind: string): string =>
  kind === 'media' || kind === 'reasoning' ? `${shown(n)} ${kind}` : numbered(n, kind.replace(/s$/, ''));

/** What a stage did, with what the receipt says of it. */
function tellVisit({ layer, tokensBefore, tokensAfter }: Visit, events: readonly SessionEvent[]): string {
  const receipts = events.flatMap((event) => (event.type === 'view-compacted' ? [event.receipt] : []));
  const hidden = receipts
    .flatMap(({ lines }) => lines)
    .filter((line) => line.layer === layer)
    .map(({ kind, tool, count: n }) => `${tellKind(n, kind)}${tool === undefined ? '' : ` of ${tool}`}`);
  return `${layer}: ${shown(tokensBefore)} → ${shown(tokensAfter)} tokens (${hidden.join(', ')})`;
}

function tellNative({ type, ...rest }: NativeEdit): string {
  const tellValue = (value: unknown): string =>
    typeof value === 'number' ? shown(value) : Array.isArray(value) ? value.join(', ') : String(value);
  const figures = Object.entries(rest).map(([name, value]) => `${name} ${tellValue(value)}`);
  return `asked of the provider: ${type} (${figures.join('; ')})`;
}

/** What code put back behind a summary, item by item. */
const tellCarried = (message: Message): readonly string[] =>
  [
    ...message.parts
      .map(partText)
      .join('\n')
      .matchAll(/<carried kind="(.*?)" name="(.*?)">\n([\s\S]*?)\n<\/carried>/g),
  ].map(([, kind, name, text = '']) => `    ${kind} ${name}: ${numbered(countText(text), 'token')}`);

function tellMessage(message: Message): string {
  const [first = ''] = message.parts.map(partText).join(' ').split('\n');
  return `${message.origin.padEnd(10)} ${shown(count(message)).padStart(7)} tokens  ${first.slice(0, 80).trim()}`;
}

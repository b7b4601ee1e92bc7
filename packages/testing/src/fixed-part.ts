import {
  assistant,
  call,
  createSession,
  estimateText,
  result,
  results,
  type SessionOptions,
  user,
} from '@palimpsest/core';

/** One session beside a fixed part: how much of the window system prompt and tools take, and what the host lets answers take. */
export interface FixedPart {
  readonly window: number;
  /** Of the window. */
  readonly share: number;
  readonly maxOutput?: number;
}

/** What became of it. */
export interface FixedPartOutcome {
  readonly views: number;
  readonly compactions: number;
  /** Views in which a rule or the newest request was not verbatim, and no status said why. */
  readonly lost: number;
  /** Views under the status that what is sent besides the messages reaches the trigger. */
  readonly typed: number;
  /** Views that say of themselves that they do not fit, without that status. */
  readonly unfit: number;
}

/** What the user says on the way: each holds a rule, and is the newest request until the next. */
const REQUESTS = [
  'Read every file. Never modify src/a7.kt. The release code is ZK-99-OTTER.',
  'Go on with the parser. Always write the tests before the code.',
  'Now the printer, please. Do not add any dependency to it.',
] as const;
const RULES = [
  'Never modify src/a7.kt.',
  'Always write the tests before the code.',
  'Do not add any dependency to it.',
];

const PIECE = 'tool text ';
const ofTokens = (tokens: number): string =>
  PIECE.repeat(Math.round((tokens / estimateText(PIECE.repeat(1_000))) * 1_000));

/** Drives a session of many rounds, several windows long, and looks at every view. */
export async function driveFixedPart(
  { window, share, maxOutput }: FixedPart,
  rounds: number,
  more: Partial<SessionOptions> = {},
): Promise<FixedPartOutcome> {
  const session = createSession({
    window,
    system: ofTokens(window * share),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...more,
  });
  const every = Math.ceil(rounds / REQUESTS.length);
  const lines = Math.ceil(window / 400);
  const seen = { views: 0, compactions: 0, lost: 0, typed: 0, unfit: 0 };
  for (let i = 0; i < rounds; i++) {
    const turn = Math.floor(i / every);
    if (i % every === 0) session.append(user(REQUESTS[turn] ?? ''));
    session.append(assistant([call(`k${i}`, 'Read', { file_path: `src/a${i}.kt` })]));
    session.append(results([result(`k${i}`, `val x${i} = ${i * 7919}\n`.repeat(lines))]));
    const { messages, fits, receipt } = await session.view();
    const shown = JSON.stringify(messages);
    const isTyped = session.status().paused === 'overhead';
    const isWhole = [REQUESTS[turn] ?? '', ...RULES.slice(0, turn + 1)].every((words) => shown.includes(words));
    seen.views++;
    if (receipt?.declared === true) seen.compactions++;
    if (isTyped && !fits) seen.typed++;
    else if (!isWhole) seen.lost++;
    else if (!fits) seen.unfit++;
  }
  return seen;
}

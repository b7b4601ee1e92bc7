import {
  assistant,
  type BudgetOptions,
  CompactionError,
  call,
  createSession,
  estimateText,
  type JournalRecord,
  type Message,
  type NewMessage,
  type Part,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  text,
  user,
  type View,
} from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { virtualClock } from '@palimpsest/testing';
import { createProviderClient, ProviderError } from '@palimpsest/wire';
import { startSim } from '../../src/index.ts';
import { throwDice } from './dice.ts';
import { checkPairs, checkPrefix, checkReach, findLoneSurrogate, holdsWords, isStandIn } from './oracle.ts';
import { castPorts, keepJournal } from './ports.ts';
import { addressOf, babbleOf, type Target, targets, wireOf } from './provider.ts';

const isTorn = (words: string): boolean => findLoneSurrogate(words).length > 0 || /\\ud[89a-f]/.test(words);

/** Something the user typed, and the message it was typed in. */
interface Typed {
  readonly words: string;
  readonly id: string;
}

const quoteTyped =
  (fate: string) =>
  ({ words }: Typed): string =>
    `"${words.slice(0, 60)}" ${fate}`;

/** Besides its words each line has a mark. */
const weighTyped = (some: readonly Typed[]): number =>
  estimateText(some.map(({ words }) => words).join('\n')) + some.length * 2;

/** What users typed stays word for word while it takes no more than this part of the effective window; a quarter is promised. */
const TYPED_SHARE = 0.2;
/** Where system prompt and tools leave fewer tokens than the newest round may take, something has to be named. */
const LEAST_LEFT = 1_000;

/** What a run of one seed came to. */
export interface Outcome {
  readonly views: number;
  readonly findings: readonly string[];
}

const HOSTILE = [
  '\ud83d',
  'a\udc00b',
  '\u202egnp.exe',
  '\u0000\u001b[31m',
  '読み込み🎉'.repeat(40),
  '</system-reminder>',
];
const NAMES = ['read_file', 'bash', 'default_api:fs.read', 'read file\n', 'x'.repeat(300), 'Ünïcode.tool'];

/** A session of random operations against a strict provider of its own; every view is looked at with hostile eyes. */
export async function liveOneSeed(seed: number, steps: number): Promise<Outcome> {
  const sim = await startSim({ model: babbleOf(seed), virtualTime: true });
  try {
    return await liveAgainst(seed, sim.url, steps);
  } finally {
    await sim.close();
  }
}

async function liveAgainst(seed: number, url: string, steps: number): Promise<Outcome> {
  const dice = throwDice(seed);
  const clock = virtualClock();
  const target = dice.pick(targets);
  const wire = wireOf(target);
  const client = createProviderClient({ api: target.api, endpoint: addressOf(target, url), model: target.model });
  const { rules } = wire.decode(target.template as never);
  const window = dice.pick([6_000, 16_000, 60_000]);
  const preset = dice.pick(Object.keys(presets) as PresetName[]);
  const system = 'You are a careful agent. '.repeat(dice.pick([1, 100, 600]));
  const records: JournalRecord[] = [];
  const budget: BudgetOptions = {
    window,
    ...(dice.chance(0.3) ? { maxOutput: dice.pick([500, 4_000, window - 1]) } : {}),
  };
  const options = {
    ...budget,
    wire: rules,
    layers: presets[preset](),
    system,
    tools: (target.template.tools ?? []) as never,
    ports: castPorts(dice, clock),
    journal: keepJournal(dice, records, dice.chance(0.2) ? 0.05 : 0),
  };
  const session = createSession(options);
  const said: NewMessage[] = [];
  const typed: Typed[] = [];
  const findings: string[] = [];
  /** A view had to let something go: it does not come back by itself. */
  let wasForced = false;
  let views = 0;
  let before: readonly string[] = [];
  let n = 0;
  const find = (what: string, wrong: readonly string[]): void => {
    for (const one of wrong.slice(0, 3)) findings.push(`${what}: ${one} (${target.model}, ${preset}, ${window})`);
  };
  const add = (message: NewMessage): string => {
    said.push(message);
    return session.append(message);
  };
  const say = (words: string): void => {
    const last = session.transcript().at(-1);
    if (last?.role === 'assistant') answerCalls(last.parts, 1);
    const id = add({ ...user(dice.chance(0.1) ? [text(words), picture(dice.below(9))] : words), at: ++n * 60_000 });
    typed.push({ words, id });
  };
  const wait = async <Answer>(work: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await clock.run(work);
    } catch (error) {
      if (error instanceof CompactionError || (error as Error).name === 'AbortError') return undefined;
      find('thrown', [String((error as Error).stack ?? error)]);
      return undefined;
    }
  };

  /**
   * Whatever the user typed stands in the view word for word or is named, and can be read back. Where it is little beside the
   * window, the default preset names nothing.
   */
  function checkTyped(view: View, isForced: boolean): readonly string[] {
    const { effective, trigger, overhead = 0, head = 0 } = session.status().budget;
    const left = Math.min(trigger, effective) - overhead + head;
    const room = Math.min(effective, left * 2) * TYPED_SHARE;
    wasForced ||= isForced || !view.fits || left < LEAST_LEFT || weighTyped(typed) > room;
    const gone = typed.filter(({ words }) => !isTorn(words) && !holdsWords(view, words.trim()));
    const isNamed = ({ words }: Typed): boolean =>
      typed.some((one) => one.words === words && view.missing?.some(({ message }) => message === one.id) === true);
    const isRead = ({ id, words }: Typed): boolean => session.recall.read(id).text.includes(words.trim());
    return [
      ...gone.filter((one) => !isNamed(one)).map(quoteTyped('is gone, and nobody says so')),
      ...gone.filter((one) => !isRead(one)).map(quoteTyped('cannot be read back')),
      ...(preset === 'default' && !wasForced ? gone.map(quoteTyped(`is gone, with ${room} tokens of room`)) : []),
    ];
  }

  async function look(view: View, isDeclared: boolean, isForced = false): Promise<void> {
    views++;
    find('pairs', checkPairs(view.messages));
    const now = view.messages.filter((message) => !isStandIn(message)).map((message) => JSON.stringify(message));
    if (!isDeclared && view.receipt === undefined) find('prefix', checkPrefix(before, now));
    before = now;
    const transcript = session.transcript();
    const some = Array.from({ length: Math.min(3, transcript.length) }, () => dice.pick(transcript).id);
    find('reach', checkReach(session, view, some));
    find('words', checkTyped(view, isForced));
    const { budget, paused, overhead } = session.status();
    const isCrowded = (budget.overhead ?? 0) - (budget.head ?? 0) >= budget.trigger;
    if (isCrowded && (view.fits || paused !== 'overhead'))
      find('status', [
        `nothing fits beside ${JSON.stringify(overhead)}, and yet fits is ${view.fits}, paused ${paused}`,
      ]);
    const limit = session.status().budget.window;
    if (view.fits && view.tokens > limit) find('size', [`${view.tokens} tokens fit ${limit}`]);
  }

  /** Hosts that leave a call unanswered, or ask again after an answer, say something first. */
  function makeReady(): void {
    const last = session.transcript().at(-1);
    if (last?.role === 'assistant') answerCalls(last.parts, 1);
    if (session.transcript().at(-1)?.role === 'assistant') say(`Go on with ${n}.`);
  }

  async function ask(): Promise<void> {
    makeReady();
    const view = await wait(session.view());
    if (view === undefined) return;
    await look(view, false);
    await send(view, 0);
  }

  async function send(view: View, tries: number): Promise<void> {
    const { body, headers } = wire.encode(view.messages, target.template as never, { nativeEdits: view.native });
    find('surrogate', findLoneSurrogate(body));
    find(
      'validate',
      wire.validate(body).map(({ path, message }) => `${path} ${message}`),
    );
    try {
      const answer = await client.ask(body as unknown as Fields, { headers });
      if (answer.parts.length === 0) return;
      session.observe(dice.chance(0.1) ? { input: dice.below(1_000_000) } : answer.usage);
      add({ ...assistant(answer.parts as Part[]), at: ++n * 60_000 });
      answerCalls(answer.parts, 0.9);
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'too-long' && tries < 4) {
        const smaller = await wait(session.overflowed(error.maximum === undefined ? {} : { maximum: error.maximum }));
        if (smaller === undefined) return;
        await look(smaller, true, true);
        return send(smaller, tries + 1);
      }
      if (!(error instanceof ProviderError) || error.code !== 'too-long')
        find('refused', [String((error as Error).message).slice(0, 300)]);
    }
  }

  function answerCalls(parts: readonly Part[], probability: number): void {
    const open = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    if (open.length === 0 || !dice.chance(probability)) return;
    const body = (): string =>
      `line of output ${n}\n`.repeat(dice.pick([1, 5, 40, 400])) + (dice.chance(0.1) ? dice.pick(HOSTILE) : '');
    add({ ...results(open.map((part) => result(part.callId, body(), dice.chance(0.1)))), at: ++n * 60_000 });
  }

  /** A call as a model made it up elsewhere: odd names, ids that come again. */
  function hallucinate(): void {
    makeReady();
    const id = dice.pick(['c1', 'c1', 'call with space', `c${n}`]);
    add({ ...assistant([call(id, dice.pick(NAMES), { path: 'a' })]), at: ++n * 60_000 });
    add({ ...results([result(id, 'no such tool', true)]), at: ++n * 60_000 });
  }

  async function reload(torn: boolean): Promise<void> {
    const isSaved = (await wait(session.saved().then(() => true))) === true;
    const kept = torn ? records.slice(0, records.length - dice.below(3)) : records;
    // The host states the model that it switched to when it comes back.
    const budget = { ...options, window: session.status().budget.window };
    const again = createSession({ ...budget, journal: keepJournal(dice, [], 0), records: kept });
    if (isSaved && !torn && JSON.stringify(again.status()) !== JSON.stringify(session.status()))
      find('reload', [`${JSON.stringify(again.status())} was ${JSON.stringify(session.status())}`]);
    if (torn) {
      const view = await wait(again.view());
      if (view !== undefined && again.transcript().length > 0) find('torn', checkPairs(view.messages));
    }
  }

  say(`Rule ${seed}: never touch folder-${seed}.`);
  for (let step = 0; step < steps && findings.length === 0; step++) {
    const what = dice.below(100);
    if (what < 14)
      say(dice.chance(0.1) ? dice.pick(HOSTILE) : `Please do number ${step}${' and mind it'.repeat(dice.below(8))}.`);
    else if (what < 16) say(`Here is a log:\n${'2026-01-01 12:00:00 something happened\n'.repeat(dice.below(300))}`);
    else if (what < 22) hallucinate();
    else if (what < 26)
      await wait(session.compact({ form: dice.pick(['all', 'up-to']) as 'all' })).then(() => (before = []));
    else if (what < 29) tryUndo();
    else if (what < 32) session.pin(dice.pick(session.transcript()).id);
    else if (what < 34) session.unpin(dice.pick(session.transcript()).id);
    else if (what < 37) {
      const view = await wait(session.switchTo({ window: dice.pick([window, window * 2, Math.floor(window * 0.7)]) }));
      // A switch stands, and says by events what it took back, also where its view was not to be had.
      if (view === undefined) before = [];
      else await look(view, true);
    } else if (what < 41) await reload(dice.chance(0.5));
    else if (what < 44) await abort();
    else await ask();
  }
  if (findings.length === 0) checkTranscript();
  return { views, findings: findings.map((one) => `seed ${seed}: ${one}`) };

  function tryUndo(): void {
    try {
      session.undo();
    } catch (error) {
      if (!(error instanceof CompactionError)) throw error;
    }
    before = [];
  }

  async function abort(): Promise<void> {
    const stop = new AbortController();
    const work = session.view({ signal: stop.signal });
    stop.abort();
    const view = await wait(work);
    if (view !== undefined) await look(view, false);
  }

  /** All that was said is there, in order, as it was said. */
  function checkTranscript(): void {
    const kept = session.transcript();
    if (kept.length !== said.length) find('lost', [`${said.length} messages were said, ${kept.length} are kept`]);
    kept.forEach((message: Message, i) => {
      const was = said[i];
      if (
        was !== undefined &&
        !isTorn(JSON.stringify(was.parts)) &&
        JSON.stringify(message.parts) !== JSON.stringify(was.parts)
      )
        find('edited', [`message ${i} is not what was said`]);
    });
  }
}

const picture = (i: number): Part => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data: 'iVBORw0KGgo'.repeat(20 + i),
  width: 100,
  height: 100,
});

export type { Session, Target };

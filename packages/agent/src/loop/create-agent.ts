import {
  CompactionError,
  createSession,
  type PreviewRequest,
  type Receipt,
  type Session,
  switchesFrom,
} from '@palimpsest/core';
import { systemClock } from '@palimpsest/wire';
import { AgentError } from '../agent-error.ts';
import { newKeyBlanker } from '../models/api-keys.ts';
import { type KeptSession, keepFromNowOn, reopenKept } from '../sessions/kept-session.ts';
import { mendSession } from '../sessions/mend-session.ts';
import { newSessionId } from '../sessions/session-ids.ts';
import { resolveCompactAsk } from '../tools/compact-ask.ts';
import { joinCarries, newCarry, restoreDesk } from '../tools/desk.ts';
import { definitionOf, type Tool } from '../tools/tool.ts';
import { newToolbox, type Toolbox } from '../tools/toolbox.ts';
import { folderAt } from '../world/folder.ts';
import { readInstructions } from '../world/instructions.ts';
import { refuseAll } from '../world/permission.ts';
import { readSkills, type Skill } from '../world/skills.ts';
import type { Agent, AgentOptions, Approve } from './agent.ts';
import type { Listener } from './agent-event.ts';
import { type AgentHearing, newAgentHearing } from './agent-hearing.ts';
import { type CacheWatch, newCacheWatch } from './cache-watch.ts';
import { contextUse } from './context-use.ts';
import { type ModelSeat, newModelSeat, type Prompt, sizesOf } from './model-seat.ts';
import { newPresetSeat, type PresetSeat } from './preset-seat.ts';
import { textOf } from './run-turn.ts';
import { besidesOf, newServerSeat, type ServerSeat } from './server-seat.ts';
import { newSubagents, type Subagents } from './subagent.ts';
import { systemPrompt } from './system-prompt.ts';
import { runUserCommand } from './user-command.ts';
import { newWork, type Work } from './work.ts';

/** With the defaults filled in. */
type Settings = AgentOptions & Required<Pick<AgentOptions, 'clock' | 'permission' | 'environment' | 'subagent'>>;

/** What an agent is made of. */
interface AgentParts {
  readonly settings: Settings;
  readonly kept: KeptSession;
  readonly session: Session;
  readonly toolbox: Toolbox;
  readonly prompt: Prompt;
  readonly seat: ModelSeat;
  readonly presetSeat: PresetSeat;
  readonly hearing: AgentHearing;
  readonly servers: ServerSeat;
  readonly subagents: Subagents;
  readonly cacheWatch: CacheWatch;
  readonly emit: Listener;
  /** Blanks the keys that an output may show. */
  readonly blankKeys: (text: string) => string;
}

/**
 * Opens or begins the session and reads the folder's instructions; then `say()` starts turns. Rejects where the window is
 * too small for the agent's own prompt and tools.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const settings = {
    clock: systemClock,
    permission: refuseAll,
    environment: {},
    subagent: false,
    ...options,
  };
  const skills = await readSkills(options.skillsDir ?? folderAt(options.root).at('skills'));
  const kept = await keepSession(settings);
  try {
    const parts = assembleParts(settings, kept, skills);
    await openSession(parts, skills);
    return agentOf(parts);
  } catch (error) {
    await kept.journal.close();
    throw error;
  }
}

const keepSession = async ({ store, resume, id, root, clock }: Settings): Promise<KeptSession> =>
  resume === undefined
    ? keepFromNowOn(store, id ?? newSessionId(root, new Date(clock.now())), clock.now)
    : reopenKept(store, resume, clock.now);

/** Each part reaches the others only when something happens, so the order in which they are made is free. */
function assembleParts(settings: Settings, kept: KeptSession, skills: readonly Skill[]): AgentParts {
  const { root, clock, permission, environment, subagent } = settings;
  const cacheWatch = newCacheWatch(clock);
  const emit: Listener = (event) => {
    cacheWatch.hear(event);
    if (event.type === 'view-compacted' || event.type === 'walk-reverted') {
      // An earlier read may be hidden.
      toolbox.memory.forget();
    }
    settings.on?.(event);
  };
  const model = () => seat.model();
  const presetSeat = newPresetSeat(settings, kept, switchesFrom(environment));
  const hearing = newAgentHearing({ ...settings, id: kept.id, emit });
  // A subagent begins a session of its own, also where this one goes on.
  const { resume: _, ...inherited } = settings;
  const subagents = newSubagents({
    ...inherited,
    hooks: hearing.hooks,
    settingsHooks: [],
    settingsServers: [],
    tools: () => toolbox.tools.slice(ownTools),
    create: createAgent,
    preset: presetSeat.preset,
    layers: () => presetSeat.ledBy().layers,
    id: kept.id,
    model,
    emit,
    desk: () => toolbox.desk,
  });
  const toolbox = newToolbox({
    folder: folderAt(root),
    permission,
    skills,
    session: () => session,
    window: settings.model.window,
    ...(subagent ? {} : { startTask: subagents.start }),
  });
  const ownTools = toolbox.tools.length;
  toolbox.tools.push(...takeHostTools(settings, toolbox));
  const prompt = { system: systemPrompt(root), tools: toolbox.tools.map(definitionOf) };
  const servers = newServerSeat({ ...settings, emit, model, prompt, tools: toolbox.tools });
  const { compaction } = hearing.ear;
  const ports = {
    stash: kept.stash,
    carry: joinCarries(newCarry(toolbox.desk), settings.carry),
    ...(compaction === undefined ? {} : { hooks: compaction }),
    clock,
  };
  const seat = newModelSeat(settings, prompt, ports, emit);
  const session = createSession({
    ...sizesOf(settings.model),
    ...besidesOf(prompt),
    ...presetSeat.ledBy(),
    journal: kept.journal,
    records: kept.records,
    subagent,
    ports,
    on: emit,
  });
  return {
    settings,
    kept,
    session,
    toolbox,
    prompt,
    seat,
    presetSeat,
    hearing,
    servers,
    subagents,
    cacheWatch,
    emit,
    blankKeys: newKeyBlanker(environment),
  };
}

function takeHostTools({ tools = [] }: Settings, own: Toolbox): readonly Tool[] {
  const names = [...own.tools, ...tools].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return tools;
  throw new AgentError('bad-option', `there are two tools "${twice}": give yours another name.`);
}

async function openSession(parts: AgentParts, skills: readonly Skill[]): Promise<void> {
  const { settings, kept, session, toolbox, presetSeat, emit } = parts;
  const { model, clock } = settings;
  const resumed = settings.resume !== undefined;
  const mended = resumed ? mendSession(session, clock.now()) : undefined;
  restoreDesk(toolbox.desk, session, skills);
  const messages = session.transcript().length;
  const preset = presetSeat.preset();
  const named = preset === undefined ? {} : { preset };
  emit({ type: 'session-opened', id: kept.id, resumed, messages, model: model.name, window: model.window, ...named });
  if (preset !== undefined && preset !== kept.preset) await kept.rememberPreset(preset);
  if (kept.repaired !== undefined)
    emit({ type: 'session-mended', what: `half a record was set aside in ${kept.repaired}` });
  if (presetSeat.note !== undefined) emit({ type: 'session-mended', what: presetSeat.note });
  if (mended !== undefined) emit({ type: 'session-mended', what: mended });
  if (messages === 0) await appendInstructions(parts);
}

/** The folder's instructions may take this share of the window, at about 4 characters a token. */
const INSTRUCTIONS_SHARE = 0.1;

/** They are part of the head of the conversation, which no compaction hides. */
async function appendInstructions({ settings, session, emit }: AgentParts): Promise<void> {
  const { root, model, clock } = settings;
  const found = await readInstructions(root, Math.floor(model.window * 4 * INSTRUCTIONS_SHARE));
  if (found === undefined) return;
  session.append({ ...found.message, at: clock.now() });
  emit({ type: 'instructions-read', files: found.files });
}

function agentOf(parts: AgentParts): Agent {
  const { settings, kept, session, toolbox, prompt, seat, presetSeat } = parts;
  const { clock } = settings;
  const work = workOf(parts);
  return {
    id: kept.id,
    root: settings.root,
    session,
    tools: toolbox.tools,
    servers: parts.servers.reports,
    permission: settings.permission,
    model: seat.model,
    preset: presetSeat.preset,
    layers: () => presetSeat.ledBy().layers,
    say: work.say,
    queue: work.queue,
    isBusy: work.isBusy,
    interrupt: work.interrupt,
    compact: (ask = {}, approve) =>
      work.runAlone(async (signal) => {
        const asked = resolveCompactAsk(typeof ask === 'string' ? { instructions: ask } : ask, session.transcript());
        const request = { ...asked, now: clock.now(), signal };
        if (approve !== undefined) return compactAsShown(parts, request, approve);
        await parts.hearing.prepare(signal);
        return session.compact(request);
      }),
    runCommand: (command, whom) =>
      work.runAlone((signal) =>
        runUserCommand({ ...parts, root: settings.root, clock }, command, whom === 'model', signal),
      ),
    editSummary: (words) => work.runAlone(() => session.editSummary(words)),
    cacheBreaks: parts.cacheWatch.breaks,
    switchModel: (next) =>
      work.runAlone(async (signal) => {
        seat.seat(next);
        await session.switchTo({ ...sizesOf(next), now: clock.now(), signal });
      }),
    switchPreset: (next) =>
      work.runAlone(async (signal) => {
        presetSeat.seat(next);
        await kept.rememberPreset(next);
        await session.switchTo({ ...sizesOf(seat.model()), ...presetSeat.ledBy(), now: clock.now(), signal });
      }),
    contextUse: () => contextUse(session, besidesOf(prompt)),
    lastWords: () => textOf(session.transcript().findLast((message) => message.role === 'assistant')?.parts ?? []),
    async close() {
      await work.end();
      await parts.subagents.end();
      await parts.servers.end();
      // A summary that is being drafted would come too late to be kept.
      await session.settled({ signal: AbortSignal.abort() }).catch(() => {});
      try {
        if (session.transcript().some((message) => message.origin === 'human')) await session.saved();
      } finally {
        await kept.journal.close();
      }
    },
  };
}

/** What is done is what was shown; where a draft has come meanwhile, say, it is shown again. */
async function compactAsShown(
  { session, hearing }: AgentParts,
  request: PreviewRequest & { readonly signal: AbortSignal },
  approve: Approve,
): Promise<Receipt | undefined> {
  const { signal } = request;
  for (;;) {
    const preview = await session.preview(request);
    if (!(await approve(preview, signal))) return undefined;
    await hearing.prepare(signal);
    try {
      return await session.compact({ plan: preview.plan, signal });
    } catch (error) {
      if (!(error instanceof CompactionError) || error.code !== 'stale-plan') throw error;
    }
  }
}

const workOf = (parts: AgentParts): Work =>
  newWork({
    session: parts.session,
    model: parts.seat.model,
    prompt: parts.prompt,
    tools: parts.toolbox.tools,
    emit: parts.emit,
    clock: parts.settings.clock,
    blankKeys: parts.blankKeys,
    hooks: parts.hearing.ear,
    async prepare(signal) {
      await parts.hearing.prepare(signal);
      await parts.servers.settle(signal);
    },
    takeBesides: parts.servers.takeBesides,
    takeReports: parts.subagents.takeReports,
  });

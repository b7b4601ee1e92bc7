import { CompactionError, wordsOf } from '@palimpsest/core';
import { clip, formatNumber, oneLine, previewLines, wrap } from '@palimpsest/terminal';
import { KNOWN_MODELS, systemClock } from '@palimpsest/wire';
import { isAbort } from '../agent-error.ts';
import type { Agent } from '../loop/agent.ts';
import { PRESET_NAMES, requirePreset } from '../loop/preset-seat.ts';
import { chooseModel } from '../models/choose-model.ts';
import { type CompactAsk, readCompactAsk } from '../tools/compact-ask.ts';
import { findSaid } from '../tools/find-said.ts';
import type { Command, CommandDesk } from './command.ts';

/** Sizes before and after something, to be told where they differ. */
function watchSize({
  session,
}: Agent): () => { readonly before: number; readonly after: number; readonly told: string } {
  const before = session.status().tokens;
  return () => {
    const after = session.status().tokens;
    return { before, after, told: `${formatNumber(before)} → ${formatNumber(after)} tokens` };
  };
}

/** `--dry`, and `--all` behind it, before what is to be compacted. */
const DRY = /^--dry(?![\w-])\s*(--all(?![\w-]))?\s*/;

export const compact: Command = {
  name: 'compact',
  usage: '/compact [--dry] [PART][: WORDS]',
  help: 'compacts now: the old part, or PART: all, from WHAT, up to WHAT (a message id, or words of yours); WORDS say what the summary should mind; --dry shows first what would go, and asks',
  waits: true,
  async run(argument, desk) {
    const { agent, print } = desk;
    const dry = DRY.exec(argument);
    try {
      const ask = readCompactAsk(argument.slice(dry?.[0].length ?? 0));
      if (dry !== null) await compactAsShown(ask, dry[1] !== undefined, desk);
      else if ((await agent.compact(ask)) === undefined) print(['There was nothing to gain.']);
    } catch (error) {
      if (error instanceof CompactionError && error.code === 'nothing-to-compact') print([error.message]);
      // What was stopped is told by the compaction's own end.
      else if (!isAbort(error)) throw error;
    }
  },
};

/** Shows what would go; done only where somebody is there and says yes. */
async function compactAsShown(ask: CompactAsk, all: boolean, desk: CommandDesk): Promise<void> {
  const { agent, print, paint, columns, confirm } = desk;
  let looks = 0;
  await agent.compact(ask, async (preview, signal) => {
    if (looks++ > 0) print([paint.yellow('The session has changed meanwhile. Now it comes to this:')]);
    print(previewLines(preview, { paint, columns, all }));
    if (preview.receipt === undefined) return false;
    if (confirm === undefined) print([paint.dim('Nothing was done: /compact does it.')]);
    const isLiked = await confirm?.('Compact so?', signal);
    if (isLiked === false) print(['Nothing was changed.']);
    return isLiked === true;
  });
}

export const undo: Command = {
  name: 'undo',
  usage: '/undo',
  help: 'takes the last compaction back',
  waits: true,
  async run(_, { agent, print, paint }) {
    const { session } = agent;
    const readSize = watchSize(agent);
    try {
      session.undo();
      await session.saved();
      print([`${paint.magenta('◆')} Taken back: ${readSize().told}; the view is as it was before`]);
      const { tokens, budget } = session.status();
      if (tokens >= budget.blocking)
        print([
          `  It is larger than what the window of ${formatNumber(budget.window)} tokens can take: your next prompt compacts it again. /model NAME takes a model with a larger window.`,
        ]);
    } catch (error) {
      if (!(error instanceof CompactionError) || error.code !== 'nothing-to-undo') throw error;
      print(['There is no compaction to take back.']);
    }
  },
};

export const pin: Command = {
  name: 'pin',
  usage: '/pin [ID | WORDS | off ID]',
  help: 'keeps a message in view through every compaction (yours before this, where none is named)',
  waits: true,
  async run(argument, { agent, print, columns }) {
    const { session } = agent;
    const off = /^off\s+(\S+)$/.exec(argument)?.[1];
    const message = findSaid(session.transcript(), off ?? argument);
    if (message === undefined)
      return print([oneLine(`No message of yours holds “${off ?? argument}”; /recall finds ids.`)]);
    if (off === undefined) session.pin(message.id);
    else session.unpin(message.id);
    await session.saved();
    const done = off === undefined ? 'Pinned' : 'No longer pinned';
    print([clip(oneLine(`${done}: ${message.id} ${wordsOf(message)}`), columns)]);
  },
};

export const preset: Command = {
  name: 'preset',
  usage: '/preset [NAME]',
  help: 'shows or changes how the conversation is kept within its window; what was compacted stays so',
  waits: true,
  async run(argument, { agent, print, columns }) {
    if (argument === '') {
      const layers = `It has: ${agent
        .layers()
        .map(({ name }) => name)
        .join(', ')}.`;
      const now = `${agent.preset() ?? 'Layers of the host'}. There are: ${PRESET_NAMES.join(', ')}.`;
      return print([...wrap(oneLine(now), columns), ...wrap(oneLine(layers), columns)]);
    }
    const next = requirePreset(argument);
    const readSize = watchSize(agent);
    await agent.switchPreset(next);
    const { before, after, told } = readSize();
    const { trigger } = agent.session.status().budget;
    print([`Now ${next}; compacts at ${formatNumber(trigger)}.${before === after ? '' : ` ${told}.`}`]);
  },
};

export const model: Command = {
  name: 'model',
  usage: '/model [NAME [WINDOW]]',
  help: 'shows or changes the model; a smaller window compacts at once',
  waits: true,
  async run(argument, { agent, environment, print }) {
    const [name, window] = argument.split(/\s+/).filter((word) => word !== '');
    if (name === undefined) {
      const now = agent.model();
      const known = KNOWN_MODELS.map((one) => one.name).join(', ');
      return print([oneLine(`${now.name}, window ${formatNumber(now.window)}. Known: offline, ${known}.`)]);
    }
    const stated = window === undefined ? undefined : Number(window.replace(/[_,]/g, ''));
    if (stated !== undefined && !(stated > 0))
      return print([
        oneLine(
          `“${window}” is no number of tokens. Say /model ${name} 64000, or /model ${name} where its window is known.`,
        ),
      ]);
    const size = stated === undefined ? {} : { window: stated };
    const readSize = watchSize(agent);
    const next = chooseModel({ model: name, ...size }, { environment, clock: systemClock });
    await agent.switchModel(next);
    const { before, after, told } = readSize();
    const grown = after > before ? ` What it need not hide is in view again: ${told}.` : '';
    print([oneLine(`Now ${next.name}, window ${formatNumber(next.window)}.${grown}`)]);
  },
};

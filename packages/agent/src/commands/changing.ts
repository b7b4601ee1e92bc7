import { CompactionError, wordsOf } from '@palimpsest/core';
import { clip, formatNumber, oneLine, wrap } from '@palimpsest/terminal';
import { systemClock } from '@palimpsest/wire';
import { isAbort } from '../agent-error.ts';
import { PRESET_NAMES, requirePreset } from '../loop/preset-seat.ts';
import { chooseModel } from '../models/choose-model.ts';
import { KNOWN_MODELS } from '../models/known-models.ts';
import { readCompactAsk } from '../tools/compact-ask.ts';
import { findSaid } from '../tools/find-said.ts';
import type { Command } from './command.ts';

export const compact: Command = {
  name: 'compact',
  usage: '/compact [PART][: WORDS]',
  help: 'compacts now: the old part, or PART: all, from WHAT, up to WHAT (a message id, or words of yours); WORDS say what the summary should mind',
  waits: true,
  async run(argument, { agent, print }) {
    try {
      const made = await agent.compact(readCompactAsk(argument));
      if (made === undefined) print(['There was nothing to gain.']);
    } catch (error) {
      if (error instanceof CompactionError && error.code === 'nothing-to-compact') print([error.message]);
      // What was stopped is told by the compaction's own end.
      else if (!isAbort(error)) throw error;
    }
  },
};

export const undo: Command = {
  name: 'undo',
  usage: '/undo',
  help: 'takes the last compaction back',
  waits: true,
  async run(_, { agent, print, paint }) {
    const { session } = agent;
    const { tokens } = session.status();
    try {
      session.undo();
      await session.saved();
      print([
        `${paint.magenta('◆')} Taken back: ${formatNumber(tokens)} → ${formatNumber(session.status().tokens)} tokens`,
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
    const { tokens } = agent.session.status();
    await agent.switchPreset(next);
    const status = agent.session.status();
    const sizes = tokens === status.tokens ? '' : ` ${formatNumber(tokens)} → ${formatNumber(status.tokens)} tokens.`;
    print([`Now ${next}; compacts at ${formatNumber(status.budget.trigger)}.${sizes}`]);
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
    const { tokens } = agent.session.status();
    const next = chooseModel({ model: name, ...size }, { environment, clock: systemClock });
    await agent.switchModel(next);
    const now = agent.session.status().tokens;
    const grown =
      now > tokens
        ? ` What it need not hide is in view again: ${formatNumber(tokens)} → ${formatNumber(now)} tokens.`
        : '';
    print([oneLine(`Now ${next.name}, window ${formatNumber(next.window)}.${grown}`)]);
  },
};

import type { Spending } from '@palimpsest/core';
import { formatCount, formatMoney, formatNumber, oneLine, type Paint, padStart, wrap } from '@palimpsest/terminal';
import type { CacheBreak } from '@palimpsest/wire';
import type { Agent } from '../loop/agent.ts';
import type { Command } from './command.ts';

export const cost: Command = {
  name: 'cost',
  usage: '/cost',
  help: 'what this session has used so far, in tokens and money',
  run: (_, { agent, paint, columns, print }) => print(costLines(agent, paint, columns)),
};

/** Since the first call of the session, also where it was opened again in between. */
function costLines(agent: Agent, paint: Paint, columns: number): readonly string[] {
  const { conversation, summaries, unpriced } = agent.session.totals();
  const model = agent.model();
  if (conversation.calls + summaries.calls === 0)
    return wrap(
      model.isLanguageModel
        ? 'Nothing was used yet.'
        : 'Nothing was used: the offline model is a program, and takes no tokens of anybody.',
      columns,
    );
  const warning =
    unpriced === 0
      ? []
      : wrap(
          oneLine(
            `The price of ${formatCount(unpriced, 'call')} is not known: it is in no figure of money. settings.json can state "prices" for ${model.name}.`,
          ),
          columns,
        ).map(paint.yellow);
  return [
    ...spendingLines('Conversation', conversation, paint),
    ...(summaries.calls === 0 ? [] : spendingLines('Summaries', summaries, paint)),
    ...breakLines(agent.cacheBreaks(), columns),
    ...warning,
  ];
}

const COLUMNS = 12;

function spendingLines(title: string, spent: Spending, paint: Paint): readonly string[] {
  const { calls, input, cacheRead, cacheWrite, output, unpriced } = spent;
  const money = unpriced === calls ? '' : `, $${formatMoney(spent.cost)}`;
  const row = (name: string, tokens: number): string =>
    `  ${padStart(formatNumber(tokens), COLUMNS)} ${paint.dim(name)}`;
  return [
    paint.bold(`${title}: ${formatCount(calls, 'call')}${money}`),
    row('tokens read from the cache', cacheRead),
    row('written into the cache', cacheWrite),
    row('sent besides', input),
    row('answered', output),
  ];
}

function breakLines(breaks: readonly CacheBreak[], columns: number): readonly string[] {
  const last = breaks.at(-1);
  if (last === undefined) return [];
  const lost = breaks.reduce((sum, one) => sum + one.lost, 0);
  const times = formatCount(breaks.length, 'call');
  return wrap(
    oneLine(
      `${times} could not use what was cached: ${formatNumber(lost)} tokens were sent anew. The last time: ${last.message}.`,
    ),
    columns,
  );
}

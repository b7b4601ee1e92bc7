import { readFile } from 'node:fs/promises';
import { assistant, user } from '@palimpsest/core';
import { type Dialogue, scoreEvidence, writeDialogue } from '@palimpsest/measure';
import { formatNumber } from '../figures.ts';
import type { KeepsOptions, Writers } from './options.ts';
import { newScoreTable, type ScoreTable } from './score-table.ts';
import { SEEDS } from './synthetic.ts';

/** The fields of LoCoMo's `locomo10.json` that are read. */
interface LocomoSample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>> & { readonly speaker_a: string };
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence?: readonly string[];
  }[];
}

interface LocomoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

/** Its questions of category 5 have no answer. */
const UNANSWERABLE = 5;

function readSample({ conversation, qa }: LocomoSample): Dialogue {
  const numbers = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .sort((one, other) => Number(one) - Number(other));
  const turns = numbers.flatMap((number) =>
    (conversation[`session_${number}`] as readonly LocomoTurn[]).map((turn) => ({
      ...turn,
      shown: `[${String(conversation[`session_${number}_date_time`])}] ${turn.speaker}: ${turn.text}`,
    })),
  );
  const texts = new Map(turns.map(({ dia_id, text }) => [dia_id, text]));
  const messages = turns.map(({ speaker, dia_id, shown }) => {
    const said = speaker === conversation.speaker_a ? user(shown) : assistant(shown);
    return { origin: 'model' as const, ...said, id: dia_id };
  });
  const questions = qa
    .filter(({ category }) => category !== UNANSWERABLE)
    .map(({ question, evidence = [] }) => ({
      text: question,
      evidence: evidence.flatMap((one) => one.split(/[;,\s]+/)).flatMap((id) => texts.get(id) ?? []),
    }))
    .filter(({ evidence }) => evidence.length > 0);
  return { messages, questions };
}

function scoreDialogues(
  title: string,
  dialogues: readonly { readonly name: string; readonly dialogue: Dialogue }[],
  { all }: Writers,
  { chars }: KeepsOptions,
): ScoreTable {
  const table = newScoreTable(title, 'conversations');
  for (const { name, dialogue } of dialogues)
    for (const size of chars)
      for (const [row, write] of Object.entries(all))
        table.add(row, formatNumber(size), name, scoreEvidence(dialogue.questions, write(dialogue.messages, [], size)));
  return table;
}

/** Turns that answer later questions, in conversations without tools: made up, and LoCoMo's where its file is given. */
export async function scoreEvidenceTurns(writers: Writers, options: KeepsOptions): Promise<readonly ScoreTable[]> {
  const madeUp = SEEDS.map((seed) => ({ name: `seed ${seed}`, dialogue: writeDialogue(seed) }));
  const ours = scoreDialogues('evidence turns of made-up dialogues', madeUp, writers, options);
  if (options.locomo === undefined) return [ours];
  const samples = JSON.parse(await readFile(options.locomo, 'utf8')) as readonly LocomoSample[];
  const theirs = samples.map((sample) => ({ name: sample.sample_id, dialogue: readSample(sample) }));
  return [ours, scoreDialogues('evidence turns of LoCoMo, categories 1 to 4', theirs, writers, options)];
}

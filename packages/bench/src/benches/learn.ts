import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  cutSession,
  findSessionBoilerplate,
  listPhrases,
  readMessage,
  type Session,
  type SessionCut,
  selectSessions,
} from '@palimpsest/measure';
import { featureNames, newAround, readFeatures } from '../../../core/src/digest/features.ts';
import { newReader } from '../../../core/src/digest/reader.ts';
import type { Bench } from '../bench.ts';
import { WrongArgs } from '../bench.ts';
import { fitWeights, type Sample } from '../keeps/fit.ts';
import { findHalf, readRecordings } from '../recordings.ts';

interface Learned {
  readonly sessions: number;
  readonly cuts: number;
  readonly samples: number;
  readonly weights: readonly number[];
}

const WEIGHTS = new URL('../../../core/src/digest/weights.ts', import.meta.url);
/** What is kept beside the digest differs: a short tail and a long one. */
const TAILS = [10_000, 40_000];
/** Of lines that turned out to be worth nothing one in ten is enough. */
const ONE_IN = 10;

/** Fits the weights of the digest to recordings and writes them into its file. */
export const learnBench: Bench<Learned> = {
  name: 'learn',
  takes: ['half'],
  async run(args, note) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { half: { type: 'string' } },
    });
    const [folder] = positionals;
    if (folder === undefined) throw new WrongArgs('Say where recorded sessions are: npm run bench -- learn FOLDER.');
    const found: Session[] = [];
    for await (const { recording, project } of readRecordings({ folder }, note))
      found.push({ project, messages: recording.messages });
    const selected = selectSessions(found);
    const isBoilerplate = findSessionBoilerplate(selected);
    const half = values.half === 'first' ? 'design' : values.half === 'second' ? 'held-out' : undefined;
    const sessions = selected.filter(({ project }) => half === undefined || findHalf(project) === half);
    const byProject = new Map<string, Sample[][]>();
    let cuts = 0;
    for (const session of sessions)
      for (const tail of TAILS)
        for (const cut of cutSession(session, isBoilerplate, tail)) {
          cuts++;
          byProject.set(cut.project, [...(byProject.get(cut.project) ?? []), sampleCut(cut)]);
        }
    // Every project counts the same, and of a project every cut.
    const samples = [...byProject.values()].flatMap((all) =>
      all.flatMap((one) => {
        const sum = one.reduce((total, { weight }) => total + weight, 0);
        return one.map((sample) => ({ ...sample, weight: sample.weight / sum / all.length }));
      }),
    );
    const weights = fitWeights(samples);
    writeFileSync(WEIGHTS, writeWeights(weights));
    return { sessions: sessions.length, cuts, samples: samples.length, weights };
  },
  print({ sessions, cuts, samples, weights }, print) {
    print(`${sessions} recordings, ${cuts} cuts, ${samples} lines`);
    for (const [i, weight] of weights.entries()) print(`${(featureNames[i] ?? '').padStart(14)} ${weight.toFixed(2)}`);
    return true;
  },
};

/** The lines of what was cut off, each with the share of later phrases that it holds. */
export function sampleCut({ past, tail, reuse: { phrases: needed } }: SessionCut): Sample[] {
  const reader = newReader();
  reader.read(past);
  const todo = reader.work.todos.map(({ text }) => text).join('\n');
  const around = newAround(reader.lines, reader.messages, tail.map(readMessage).join('\n'), todo);
  const worth = new Map<string, number>();
  for (const all of needed)
    for (const phrase of all) worth.set(phrase, (worth.get(phrase) ?? 0) + 1 / all.length / needed.length);
  const samples: Sample[] = [];
  let seen = 0;
  for (const line of reader.lines.all.values()) {
    let value = 0;
    for (const phrase of listPhrases(line.text)) value += worth.get(phrase) ?? 0;
    if (value === 0 && seen++ % ONE_IN > 0) continue;
    const features = new Float64Array(featureNames.length);
    readFeatures(line, around, features);
    samples.push({ features, weight: value === 0 ? ONE_IN : 1, value: (10_000 * value) / line.text.length });
  }
  return samples;
}

const writeWeights = (weights: readonly number[]): string =>
  [
    '/** What each feature of a line is worth, in the order of their names. Made by `npm run bench -- learn`. */',
    'export const weights: readonly number[] = [',
    ...weights.map((weight, i) => `  ${weight.toFixed(4)}, // ${featureNames[i]}`),
    '];',
    '',
  ].join('\n');

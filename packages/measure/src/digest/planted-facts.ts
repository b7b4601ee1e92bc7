import { assistant, call, type Message, type NewMessage, result, results, user } from '@palimpsest/core';
import { newChooser } from '../random.ts';
import { FACT_FORMS, type FactForm, listSubjects, writeAbout, writeOrdinaryLine } from './planted-forms.ts';

/** A fact of one file, and how the agent read the file. */
export interface PlantedFact {
  readonly form: string;
  readonly readBy: 'tool' | 'shell';
  /** What a text must hold to the letter. */
  readonly text: string;
}

export interface PlantedProject {
  readonly messages: readonly Message[];
  readonly facts: readonly PlantedFact[];
}

const LINES = { min: 45, end: 140 };

/** A session that reads each file of a made-up project once; one fact stands in each, among ordinary lines. */
export function plantFacts({ files, seed }: { readonly files: number; readonly seed: number }): PlantedProject {
  const chooser = newChooser(seed);
  const facts: PlantedFact[] = [];
  const said: NewMessage[] = [user('Read the whole project, then tell me how its parts fit together.')];
  const planned = listSubjects(chooser)
    .slice(0, files)
    .map((subject, number) => ({ subject, number, form: FACT_FORMS[number % FACT_FORMS.length] as FactForm }));
  for (const { subject, number, form } of chooser.shuffle(planned)) {
    const [before = '', fact = '', after = ''] = writeAbout(form.line, subject).split(/<<|>>/);
    const lines = Array.from({ length: chooser.between(LINES.min, LINES.end) }, () =>
      writeOrdinaryLine(chooser.pick(form.ordinary), chooser),
    );
    lines.splice(chooser.between(0, lines.length), 0, `${before}${fact}${after}`);
    const path = writeAbout(form.path, subject);
    const readBy = chooser.between(0, 3) === 0 ? 'shell' : 'tool';
    facts.push({ form: form.name, readBy, text: fact });
    const id = `call-${number}`;
    const numbered = lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`);
    said.push(
      readBy === 'shell'
        ? assistant([call(id, 'Bash', { command: `cat ${path}` })])
        : assistant([call(id, 'Read', { file_path: path })]),
      results([result(id, (readBy === 'shell' ? lines : numbered).join('\n'))]),
    );
  }
  return { messages: said.map((message, i) => ({ origin: 'model', ...message, id: `m${i}` })), facts };
}

/** The share of facts that a text holds to the letter. */
export const scoreFacts = (facts: readonly PlantedFact[], text: string): number =>
  facts.filter((fact) => text.includes(fact.text)).length / facts.length;

import type { Evidence } from '../evidence/evidence.ts';
import type { WorkSection } from './allot-budget.ts';
import { commandItems } from './command-items.ts';
import { newFileItems } from './file-items.ts';
import type { Item } from './item.ts';
import { keepMade } from './keep-made.ts';
import { conclusionItems, errorItems, progressItems, todoItems } from './work-items.ts';

/** What each section about the work may show, in the order of need; `wholeFiles` is of files where all can be told. */
type SectionItems = Readonly<Record<WorkSection | 'wholeFiles', () => Iterable<Item>>>;

/** A small digest never asks for most of them. */
export function listSectionItems(evidence: Evidence): SectionItems {
  const listFiles = keepMade(() => newFileItems(evidence));
  return {
    todo: keepMade(() => todoItems(evidence)),
    progress: keepMade(() => progressItems(evidence)),
    files: keepMade(() => listFiles()(false)),
    wholeFiles: keepMade(() => listFiles()(true)),
    commands: keepMade(() => commandItems(evidence)),
    errors: keepMade(() => errorItems(evidence)),
    conclusions: keepMade(() => conclusionItems(evidence)),
    // All that could be told; `newStatementChooser` chooses once the others are written.
    statements: () => walkStatements(evidence),
    // All that the index could show, which tells how much room it wants; `newIndex` orders it once the others are written.
    identifiers: () => walkIdentifiers(evidence),
  };
}

function* walkStatements({ statements = [] }: Evidence): Generator<Item> {
  for (const { text, about } of statements) yield { text: `- ${text} #0000`, group: `${about} #000` };
}

function* walkIdentifiers({ identifiers }: Evidence): Generator<Item> {
  for (const { identifier } of identifiers) yield { text: identifier };
}

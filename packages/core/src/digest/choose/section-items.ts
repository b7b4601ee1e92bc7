import type { Evidence } from '../evidence/evidence.ts';
import type { WorkSection } from './allot-budget.ts';
import { commandItems } from './command-items.ts';
import { fileItems } from './file-items.ts';
import type { Item } from './item.ts';
import { conclusionItems, errorItems, progressItems, todoItems } from './work-items.ts';

/** What each section about the work may show, in the order of need. */
export const listSectionItems = (evidence: Evidence): Readonly<Record<WorkSection, readonly Item[]>> => ({
  todo: todoItems(evidence),
  progress: progressItems(evidence),
  files: fileItems(evidence, false),
  commands: commandItems(evidence),
  errors: errorItems(evidence),
  conclusions: conclusionItems(evidence),
  // All that could be told; `newStatementChooser` chooses once the others are written.
  statements: (evidence.statements ?? []).map(({ text, about }) => ({
    text: `- ${text} #0000`,
    group: `${about} #000`,
  })),
  // All that the index could show, which tells how much room it wants; `newIndex` orders it once the others are written.
  identifiers: evidence.identifiers.map(({ identifier }) => ({ text: identifier })),
});

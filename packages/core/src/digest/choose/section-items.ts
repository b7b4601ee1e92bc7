import type { Evidence } from '../evidence/evidence.ts';
import type { SectionName } from './allot-budget.ts';
import { commandItems } from './command-items.ts';
import { fileItems } from './file-items.ts';
import type { Item } from './item.ts';
import { conclusionItems, constraintItems, requestItems, wordItems } from './said-items.ts';
import { errorItems, progressItems, todoItems } from './work-items.ts';

/** What each section may show, in the order of need. */
export const listSectionItems = (evidence: Evidence): Readonly<Record<SectionName, readonly Item[]>> => ({
  request: requestItems(evidence),
  constraints: constraintItems(evidence),
  words: wordItems(evidence),
  todo: todoItems(evidence),
  progress: progressItems(evidence),
  files: fileItems(evidence, false),
  commands: commandItems(evidence),
  errors: errorItems(evidence),
  conclusions: conclusionItems(evidence),
  // All that the index could show, which tells how much room it wants; `newIndex` orders it once the others are written.
  identifiers: evidence.identifiers.map(({ identifier }) => ({ text: identifier })),
});

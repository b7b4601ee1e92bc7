export { type Boundary, listBoundaries } from './compaction/boundaries.ts';
export {
  type CompactionMeasure,
  type CompactionMeter,
  findSurroundings,
  type Kept,
  type MeasureOptions,
  newCompactionMeter,
  type SummaryMeasure,
  type Surroundings,
} from './compaction/measure-compaction.ts';
export { CANARY_AUTHORS, type Canary, type CanaryScore, plantCanaries, scoreCanaries } from './digest/canaries.ts';
export {
  cutSession,
  findSessionBoilerplate,
  type Session,
  type SessionCut,
  selectSessions,
} from './digest/cut-recordings.ts';
export { type Dialogue, scoreEvidence, writeDialogue } from './digest/dialogue.ts';
export { FRONTIER_PARTS, holdsFrontier, readFrontier } from './digest/frontier.ts';
export { readMessage } from './digest/message-text.ts';
export { listPhrases } from './digest/phrases.ts';
export { type PlantedFact, type PlantedProject, plantFacts, scoreFacts } from './digest/planted-facts.ts';
export { type CutSession, findReuse, REUSE_MEASURES, scoreReuse } from './digest/reuse.ts';
export { newScoreSheet, type ScoreSheet } from './digest/score-sheet.ts';
export {
  type DigestFunction,
  newDigestText,
  newNewestText,
  newRarestLines,
  type TextMaker,
} from './digest/text-makers.ts';
export { drawInterval, type Interval } from './held/interval.ts';
export { type Loss, type Losses, NEED_KINDS, type NeedKind } from './held/losses.ts';
export { hasSealedSummary } from './held/sealed.ts';
export { addShares, averageRecall, fractionOf, type Recall, type Share, shareKept } from './held/share.ts';
export { type Bill, countPromptTokens, newPrefixCache, type PrefixCache, priceBill } from './money/prefix-cache.ts';
export { AHEAD_CALLS } from './needs/needs-ahead.ts';
export { findRepeats, type Repeat, type Repeats } from './needs/repeats.ts';
export {
  addReaches,
  listWanted,
  measureReach,
  PASSAGE_CHARS,
  type Reach,
  type Search,
  type Wanted,
} from './reach/reach.ts';
export { readWindow } from './read-window.ts';
export { type LiveOptions, liveThrough, type ModelCall } from './replay/live-through.ts';
export { addOutcomes, type Outcome, type Policy } from './replay/outcome.ts';
export { type ReplayOptions, replaySession } from './replay/replay-session.ts';
export { STAND_IN_TOKENS } from './replay/stand-in-model.ts';
export { showMessage } from './words/shown-text.ts';
export { NAME_KINDS, type NameKind } from './words/word-book.ts';

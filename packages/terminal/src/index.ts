export { type Choice, chooseOne } from './choose-one.ts';
export { keepHead, keepTail, markHalves } from './cut-text.ts';
export { diffLines } from './diff-lines.ts';
export { formatBytes, formatCount, formatMoney, formatNumber } from './figures.ts';
export { type Key, type Keyboard, listenToKeys } from './keyboard.ts';
export { type CursorPlace, type LiveArea, newLiveArea } from './live-area.ts';
export { type MarkdownLines, newMarkdownLines } from './markdown-lines.ts';
export { PAINT, type Paint, paintFor, wantsColour } from './paint.ts';
export { type PreviewLook, previewLines } from './preview-lines.ts';
export { jsonText, oneLine, spellText, splitBegun, stripColours, stripControls, toScreenText } from './printable.ts';
export { isSummaryEdit, nounOf, reasonLines, receiptLines } from './receipt-lines.ts';
export {
  clip,
  graphemesOf,
  padEnd,
  padStart,
  stepBack,
  stepForward,
  textWidth,
  wrap,
  wrapExactly,
} from './text-width.ts';
export { openWriter, type ScreenCode, type Sink, screenCodes, type Writer } from './writer.ts';

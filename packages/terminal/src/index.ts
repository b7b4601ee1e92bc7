export { formatBytes, formatCount, formatNumber } from './figures.ts';
export { type Paint, paintFor, wantsColour } from './paint.ts';
export { oneLine, stripControls, toScreenText } from './printable.ts';
export { nounOf, reasonLines, receiptLines } from './receipt-lines.ts';
export { clip, graphemesOf, padEnd, padStart, stepBack, stepForward, textWidth, wrap } from './text-width.ts';

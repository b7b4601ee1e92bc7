export { clip, oneLine, padEnd, padStart, textWidth, wrap } from '@palimpsest/terminal';

export { type FormatCode, FormatError } from './format-error.ts';
export { detectFormat, readSession, type SessionSource } from './read-session.ts';
export { CLEARED } from './recording/clear-results.ts';
export { type AboutCompaction, withCompaction } from './recording/compaction.ts';
export * from './recording/recording.ts';
export { type ClaudeCodeOptions, writeClaudeCode } from './writers/claude-code/write-claude-code.ts';
export { type PiOptions, writePi } from './writers/pi/write-pi.ts';

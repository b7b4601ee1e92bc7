export { CLEARED } from './cleared.ts';
export { type AboutCompaction, withCompaction } from './compaction.ts';
export { type FormatCode, FormatError } from './format-error.ts';
export { detectFormat, readSession, type SessionSource } from './read-session.ts';
export * from './recording.ts';
export { type ClaudeCodeOptions, writeClaudeCode } from './writers/write-claude-code.ts';
export { type PiOptions, writePi } from './writers/write-pi.ts';

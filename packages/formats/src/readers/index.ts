import { claudeCode } from './claude-code/claude-code.ts';
import { cline } from './cline/cline.ts';
import { codex } from './codex/codex.ts';
import { copilot } from './copilot.ts';
import { geminiChat } from './gemini/gemini-chat.ts';
import { geminiContents } from './gemini/gemini-contents.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { opencode } from './opencode/opencode.ts';
import { openhands } from './openhands.ts';
import { pi } from './pi/pi.ts';
import type { Reader } from './reader.ts';
import { sweAgent } from './swe-agent.ts';

/** In the order in which they are asked: the ones with the plainest marks first. */
export const readers: readonly Reader[] = [
  claudeCode,
  codex,
  copilot,
  pi,
  geminiChat,
  miniSweAgent,
  opencode,
  // Before OpenHands: its trajectory has actions and observations too.
  sweAgent,
  openhands,
  geminiContents,
  cline,
];

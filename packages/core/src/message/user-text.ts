import type { Message } from './message.ts';

/** A text in a user message, and who wrote it. */
export interface UserText {
  readonly message: Message;
  readonly place: number;
  /** Its index in the message's parts. */
  readonly part: number;
  readonly text: string;
  /** `block`: the client's, and a newer one of its kind replaces it. `tool`: what a tool printed. */
  readonly author: 'user' | 'block' | 'tool';
  /** Of a block. */
  readonly kind?: string;
  /** It stands before the first answer of the model: rule files, environment, the first request. */
  readonly isHead: boolean;
}

/**
 * Clients put text of their own into user messages. Only what a known client writes counts as such: all else is the user's.
 * A tag that people write too (`<output>`, `<instructions>`, `<skill>`) is none of these.
 */
const BLOCK_TAGS = [
  // Claude Code
  'system-reminder|command-name|command-message|command-args|command-contents',
  'local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr',
  'task-notification|teammate-message|user-prompt-submit-hook|persisted-output|new-diagnostics',
  'ide_selection|ide_opened_file|ide_diagnostics',
  // Codex
  'environment_context|user_instructions|permissions instructions|collaboration_mode|personality_spec',
  'apps_instructions|skills_instructions|plugins_instructions|turn_aborted|subagent_notification|user_shell_command',
  // Copilot, Gemini, Cline
  'skill-context|current_datetime|system_reminder|system_notification|session_context|hook_context',
  'environment_details|workspace_info',
].join('|');

const openTag = new RegExp(`^<(${BLOCK_TAGS})((?:\\s[^>\\n]*)?)>`);
/** Whole parts that begin so are the client's, though no tag closes them. */
const openLine = /^(?:# AGENTS\.md instructions for |\[Request interrupted by user)/;

/**
 * The kind of a text that is nothing but blocks of a known client: the first tag and the first line in it. Of two of a kind the
 * newer one replaces the older. Undefined where anything else stands in the text.
 */
export function findBlockKind(text: string): string | undefined {
  let rest = text.trim();
  if (openLine.test(rest)) return firstLine(rest);
  let kind: string | undefined;
  while (rest !== '') {
    const [open, tag, attributes = ''] = openTag.exec(rest) ?? [];
    if (open === undefined || tag === undefined) return undefined;
    const close = `</${tag}>`;
    const end = rest.indexOf(close, open.length);
    if (end < 0) return undefined;
    kind ??= `${tag}${attributes} ${firstLine(rest.slice(open.length, end))}`;
    rest = rest.slice(end + close.length).trimStart();
  }
  return kind;
}

/** The first line that says something; of one that opens with a tag of its own, the tag. */
function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return (/^<[\w-]+/.exec(line)?.[0] ?? line).trimEnd();
}

/** How tools answer in user messages, where an agent has no tools of the provider's: mini-swe-agent, SWE-agent, Cline and Roo, Hermes. */
const toolText = new RegExp(
  [
    '^<returncode>-?\\d+</returncode>',
    '^OBSERVATION:\\n',
    "^\\[[a-z_]{3,40}(?: for '[^\\n]*')?\\] Result:",
    '^<(tool_response|tool_call_result|function_results)>[\\s\\S]*</\\1>$',
  ].join('|'),
);

/** Whether a text behind an answer of the model is what a tool printed. */
export const isToolText = (text: string): boolean => toolText.test(text.trim());

/** A tool's result that could not stand as one, in the engine's own words; who types these words is taken for a tool. */
const lateResult = /^\[(?:late result of call |result of call .*, which is not in this conversation\])/;

const isUserMessage = ({ role, origin }: Message): boolean =>
  role === 'user' && (origin === 'human' || origin === 'harness');

/** The place of the first answer: all that stands before it is the head. */
function findHeadEnd(base: readonly Message[]): number {
  const end = base.findIndex(({ role }) => role === 'assistant');
  return end < 0 ? base.length : end;
}

/** What of a transcript decides about each of its texts. */
export interface Conversation {
  readonly base: readonly Message[];
  readonly headEnd: number;
  /** The agent has tools of the provider's: then nothing in a user's text is a tool's. */
  readonly hasCalls: boolean;
}

export const readConversation = (base: readonly Message[]): Conversation => ({
  base,
  headEnd: findHeadEnd(base),
  hasCalls: base.some(({ parts }) => parts.some(({ type }) => type === 'call')),
});

/** The texts of one message that a user or a client wrote, or a tool printed as a user's. */
export function readUserTexts({ base, headEnd, hasCalls }: Conversation, place: number): readonly UserText[] {
  const message = base[place];
  if (message === undefined || !isUserMessage(message)) return [];
  const isBehindAnswer = !hasCalls && base[place - 1]?.role === 'assistant';
  let announced = false;
  return message.parts.flatMap((one, part): readonly UserText[] => {
    if (one.type !== 'text') return [];
    const found = { message, place, part, text: one.text, isHead: place < headEnd };
    // Some clients announce a result in one part and show it in the next.
    const isPrinted = isBehindAnswer && isToolText(one.text);
    const isResult = announced || isPrinted || lateResult.test(one.text);
    announced = isPrinted && !announced && one.text.trimEnd().endsWith('Result:');
    if (isResult) return [{ ...found, author: 'tool' }];
    const kind = findBlockKind(one.text) ?? (message.origin === 'harness' ? firstLine(one.text) : undefined);
    return [kind === undefined ? { ...found, author: 'user' } : { ...found, author: 'block', kind }];
  });
}

/** All of them between two places, both inclusive, in order. */
export function listUserTexts(base: readonly Message[], first = 0, last = base.length - 1): readonly UserText[] {
  const conversation = readConversation(base);
  const found: UserText[] = [];
  for (let place = first; place <= last; place++) found.push(...readUserTexts(conversation, place));
  return found;
}

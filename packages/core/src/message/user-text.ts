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

/** What was read of a transcript that only grows. */
interface UserTexts {
  found: UserText[];
  read: number;
  hasAnswer: boolean;
  /** The agent has tools of the provider's: then nothing in a user's text is a tool's. */
  hasCalls: boolean;
}

const known = new WeakMap<readonly Message[], UserTexts>();

/** All texts that a user or a client wrote, or a tool printed as a user's, in order. Each message is read once. */
export function listUserTexts(base: readonly Message[]): readonly UserText[] {
  const texts = known.get(base) ?? { found: [], read: 0, hasAnswer: false, hasCalls: false };
  for (; texts.read < base.length; texts.read++) {
    const message = base[texts.read]!;
    texts.hasAnswer ||= message.role === 'assistant';
    const isBehindAnswer = !texts.hasCalls && base[texts.read - 1]?.role === 'assistant';
    texts.found.push(...readUserTexts(message, texts.read, !texts.hasAnswer, isBehindAnswer));
    // Behind the first call, what was read as a tool's is the user's: all is read again.
    if (!texts.hasCalls && message.parts.some(({ type }) => type === 'call'))
      Object.assign(texts, { found: [], read: -1, hasAnswer: false, hasCalls: true });
  }
  known.set(base, texts);
  return texts.found;
}

function readUserTexts(message: Message, place: number, isHead: boolean, isBehindAnswer: boolean): readonly UserText[] {
  if (!isUserMessage(message)) return [];
  let announced = false;
  return message.parts.flatMap((one, part): readonly UserText[] => {
    if (one.type !== 'text') return [];
    const found = { message, place, part, text: one.text, isHead };
    // Some clients announce a result in one part and show it in the next.
    const isPrinted = isBehindAnswer && isToolText(one.text);
    const isResult = announced || isPrinted || lateResult.test(one.text);
    announced = isPrinted && !announced && one.text.trimEnd().endsWith('Result:');
    if (isResult) return [{ ...found, author: 'tool' }];
    const kind = findBlockKind(one.text) ?? (message.origin === 'harness' ? firstLine(one.text) : undefined);
    return [kind === undefined ? { ...found, author: 'user' } : { ...found, author: 'block', kind }];
  });
}

/**
 * The text that hosts put into messages in the user's name: reminders, instruction files, echoes of commands. One list for
 * everybody, taken from recordings of the agents: a reader of recordings tells origins by it, a digest finds the user's words.
 */
const HOST_TAGS = [
  // Claude Code
  'system-reminder|command-name|command-message|command-args|command-contents',
  'local-command-stdout|local-command-stderr|local-command-caveat',
  'bash-input|bash-stdout|bash-stderr|user-memory-input',
  'task-notification|teammate-message|user-prompt-submit-hook|persisted-output|new-diagnostics',
  'ide_selection|ide_opened_file|ide_diagnostics',
  // Codex
  'environment_context|user_instructions|instructions|permissions instructions|permissions|collaboration_mode',
  'personality_spec|apps_instructions|skills_instructions|plugins_instructions|turn_aborted|subagent_notification',
  'user_shell_command',
  // pi, Copilot, Gemini, Cline
  'skill|skill-context|current_datetime|system_reminder|system_notification|reminder|session_context|hook_context',
  'environment_details|attached_files|workspace_info|context_summary',
  // mini-swe-agent and its kin, whose tools answer in user messages
  'tool_call_result|returncode|output',
].join('|');

/** How whole messages begin that a host wrote in the user's name. */
const HOST_OPENINGS = [
  '# AGENTS\\.md instructions',
  'Caveat: The messages below',
  '\\[Request interrupted',
  'This session is being continued from',
  'This is the Gemini CLI',
  '--- Content from referenced files ---',
  '\\[TASK RESUMPTION\\]',
  '\\[ERROR\\]',
  '\\[SYSTEM\\]',
  'Observation:',
  'OBSERVATION:',
].join('|');

const OPEN_TAG = `<(${HOST_TAGS})(?:[\\s/][^>]*)?>`;
const hostOpening = new RegExp(`^\\s*(?:${HOST_OPENINGS})`);
const hostTagFirst = new RegExp(`^\\s*${OPEN_TAG}`, 'i');
const hostBlocks = new RegExp(`${OPEN_TAG}[\\s\\S]*?(?:</\\1>|$)`, 'gi');

/** Tags that hosts put around what the user did say. */
const wrappers = /<\/?(?:task|feedback|user_query|user_message|user_input|pr_description|issue|answer)>/gi;

/** Whether a text that came as the user's is the host's: it begins with a tag or a phrase that only hosts write. */
export const isHostText = (text: string): boolean => hostOpening.test(text) || hostTagFirst.test(text);

/** The user's own words in a text that came as the user's: nothing that a host is known to put there. */
export function stripHostText(text: string): string {
  if (hostOpening.test(text)) return '';
  if (!text.includes('<')) return text.trim();
  return text.replace(hostBlocks, '').replace(wrappers, '').trim();
}

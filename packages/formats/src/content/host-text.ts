/** The text that clients put into user messages: reminders, instruction files, echoes of commands. Taken from recordings of the agents. */
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

/** How whole messages begin that a client wrote. */
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

/** Whether a text in a user message of a recording is the client's. */
export const isHostText = (text: string): boolean => hostOpening.test(text) || hostTagFirst.test(text);

/**
 * Text that stands in user messages but that no user typed. Hosts wrap it in tags or open it with a fixed phrase; the
 * list is what the recordings of the agents show.
 */
const TAGS = [
  // Claude Code
  'command-name|command-message|command-args|command-contents',
  'local-command-stdout|local-command-stderr|local-command-caveat',
  'bash-input|bash-stdout|bash-stderr|user-memory-input',
  'task-notification|teammate-message|user-prompt-submit-hook',
  'system-reminder|ide_selection|ide_opened_file|ide_diagnostics',
  // Codex
  'environment_context|user_instructions|INSTRUCTIONS|permissions instructions|collaboration_mode|personality_spec',
  'apps_instructions|skills_instructions|plugins_instructions|turn_aborted|subagent_notification|user_shell_command',
  // pi, Copilot, Gemini, Cline
  'skill|skill-context|current_datetime|system_reminder|session_context|hook_context|environment_details',
].join('|');

const OPENINGS = [
  '# AGENTS\\.md instructions',
  '\\[Request interrupted by user',
  'Caveat: The messages below were generated',
  'This is the Gemini CLI\\.',
  '--- Content from referenced files ---',
  '\\[TASK RESUMPTION\\]',
  '\\[ERROR\\]',
].join('|');

const INJECTED = new RegExp(`^\\s*(?:<(?:${TAGS})(?:\\s[^>]*)?>|${OPENINGS})`);

export const isInjected = (text: string): boolean => INJECTED.test(text);

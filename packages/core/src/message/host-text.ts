/** What hosts put into a user's message around the user's words: reminders, instructions files, echoes of commands. */
const injected = `system-reminder|system_reminder|system_notification|reminder|environment_context|environment_details|
  user_instructions|instructions|command-name|command-message|command-args|command-contents|local-command-caveat|
  local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr|task-notification|ide_opened_file|
  ide_selection|ide_diagnostics|user-prompt-submit-hook|session_context|current_datetime|turn_aborted|permissions|
  collaboration_mode|apps_instructions|skills_instructions|plugins_instructions|skill|attached_files|workspace_info|
  context_summary|persisted-output|new-diagnostics|tool_call_result|returncode|output`
  .split('|')
  .map((name) => name.trim());

const blocks = new RegExp(`<(${injected.join('|')})\\b[^>]*>[\\s\\S]*?(?:</\\1>|$)`, 'gi');

/** Tags that hosts put around what the user did say. */
const wrappers = /<\/?(?:task|feedback|user_query|user_message|user_input|pr_description|issue|answer)>/gi;

/** Whole messages that a host wrote in the user's name. */
const openings =
  /^\s*(?:# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted|This session is being continued from|This is the Gemini CLI|OBSERVATION:|Observation:|<returncode>|\[SYSTEM\])/;

/** The user's own words in a text that came as the user's: nothing that a host is known to put there. */
export function stripHostText(text: string): string {
  if (openings.test(text)) return '';
  if (!text.includes('<')) return text.trim();
  return text.replace(blocks, '').replace(wrappers, '').trim();
}

const quoteOrLog = /^\s*(?:>|\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|at \S+ \(|File "|\+ |- \$|\$ )/;

/** The sentences of the user's words that are prose: without code blocks, quoted lines and pasted logs. */
export function splitSentences(words: string): readonly string[] {
  const prose = words.includes('```') ? words.replace(/```[\s\S]*?(?:```|$)/g, '\n') : words;
  return prose
    .split(/\n+/)
    .filter((line) => !quoteOrLog.test(line))
    .flatMap((line) => line.split(/(?<=[.!?…]["')\]]?)\s+(?=[^\sa-z])|(?<=[。！？；])/u))
    .map((sentence) => sentence.replace(/^[\s#*•–—-]+(?=\S)|^\s*\d+[.)]\s+/g, '').trim())
    .filter((sentence) => sentence !== '' && !/(?:\S=\S.*){3}/.test(sentence));
}

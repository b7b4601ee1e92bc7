import type { Json } from './message.ts';
import { readPatch } from './read-patch.ts';
import { readScript, type ScriptCall } from './read-script.ts';
import { hasField, isTaskList, readCommand, readField, readPath, readPaths } from './tool-input.ts';

/** What a tool is for. Hosts name the same thing in twenty ways; layers and the digest ask only for the kind. */
export type ToolKind =
  | 'read'
  | 'shell'
  | 'grep'
  | 'glob'
  | 'web-search'
  | 'web-fetch'
  | 'edit'
  | 'write'
  | 'todo'
  | 'plan'
  | 'task'
  | 'skill'
  | 'other';

/** Names as hosts spell them, without case, `_` and `-`: see `bareName`. */
const names: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
  read: `read readfile fileread view viewfile viewimage viewlinerange readmanyfiles readmultiplefiles readtextfile openfile
    notebookread readnotebook catfile getfilecontents readlines`,
  shell: `bash shell exec execcommand execbash executebash executecommand runcommand runterminalcmd runterminalcommand
    runinterminal runshellcommand runshell shellcommand localshell localshellcall terminal powershell pwsh bashoutput
    readbash writebash writestdin getterminaloutput killshell killbash stopbash unifiedexec bashcodeexecution zsh sh`,
  grep: `grep rg ripgrep grepsearch searchfilecontent searchfiles multigrep searchcode codesearch codebasesearch
    semanticsearch search searchforpattern searchindir searchtext`,
  glob: `glob find ls list listdir listdirectory listfiles filesearch findfile findfiles findbyname findpath fileglob
    directorytree dir`,
  'web-search': 'websearch googlewebsearch searchweb websearchcall bravewebsearch exasearch tavilysearch',
  'web-fetch': 'webfetch fetch fetchurl fetchwebpage readurl geturl openurl',
  edit: `edit multiedit editfile replace replaceinfile strreplace strreplacefile searchreplace searchandreplace
    replacestringinfile multireplacestringinfile inserteditintofile insertcontent applypatch applydiff patch patchfile
    notebookedit editnotebookfile editnotebook replacefilecontent replacesymbolbody replacelines insertlines deletefile
    removefile movefile renamefile undoedit`,
  write: 'write writefile writetofile createfile create savefile filewrite createtextfile newfile',
  todo: `todowrite todoread writetodos updatetodolist managetodolist settodolist tasktracker todo todos taskcreate
    taskupdate tasklist taskget`,
  plan: 'updateplan exitplanmode enterplanmode plan writeplan createplan planmode',
  task: 'task agent newtask subagent runsubagent spawnagent dispatchagent delegatetoagent delegate launchagent',
  skill: 'skill loadskill activateskill useskill readskill slashcommand',
};

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(names).flatMap(([kind, list]) => list.split(/\s+/).map((name) => [name, kind as ToolKind] as const)),
);

/** One tool for all file work, told apart by its `command` (the text editor tools of several vendors). */
const editorVerbs: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ['view', 'read'],
  ['read', 'read'],
  ['create', 'write'],
  ['write', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['undo_edit', 'edit'],
  ['delete', 'edit'],
  ['rename', 'edit'],
]);

/** `mcp__files__read_file`, `functions.Read-File` and `readFile` are one name. */
export const toBareName = (name: string): string =>
  name
    .replace(/^.*(?:__|[./:])(?=[A-Za-z])/, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

const isForeign = (name: string): boolean => /^mcp_|__/.test(name);

/** The tool of codex that takes a script. */
const SCRIPTED = 'exec';

/** What a tool is for, told by its name as any host spells it (`Read`, `read_file`, `mcp__fs__read_file`), else by the shape of the input. */
export function toolKind(name: string, input: Json): ToolKind {
  const scripted = typeof input === 'string' && toBareName(name) === SCRIPTED ? readScript(input) : [];
  if (scripted.length > 0) return kindOfScript(scripted);
  const verb = readField(input, 'command');
  const byVerb = typeof verb === 'string' ? editorVerbs.get(verb) : undefined;
  if (byVerb !== undefined && readPath(input) !== undefined) return byVerb;
  const known = kinds.get(toBareName(name));
  if (known === undefined) return kindByShape(name, input);
  // A server's "search" or "create" says nothing about files unless its input does.
  return isForeign(name) ? kindOfForeign(known, name, input) : known;
}

/** A script changes files, runs commands, or does what its first call does. */
function kindOfScript(calls: readonly ScriptCall[]): ToolKind {
  const all = calls.map(({ tool, input }) => toolKind(tool, input));
  return (
    all.find((kind) => kind === 'edit' || kind === 'write') ?? all.find((kind) => kind === 'shell') ?? all[0] ?? 'other'
  );
}

function kindOfForeign(known: ToolKind, name: string, input: Json): ToolKind {
  const shape = kindByShape(name, input);
  if (known === 'read' || known === 'edit' || known === 'write' || known === 'glob' || known === 'grep') {
    return readPaths(input).length > 0 ? known : shape;
  }
  if (known === 'shell') return readCommand(input) === undefined ? shape : known;
  return known;
}

function kindByShape(name: string, input: Json): ToolKind {
  if (typeof input === 'string') return readPatch(input).length > 0 ? 'edit' : 'other';
  if (isTaskList(input)) return 'todo';
  if (readPath(input) !== undefined) return fileKind(name, input);
  if (readCommand(input) !== undefined) return 'shell';
  if (hasField(input, 'url')) return 'web-fetch';
  if (hasField(input, 'query') && /web|internet|google|bing/i.test(name)) return 'web-search';
  if (hasField(input, 'pattern')) return /glob|find/i.test(name) ? 'glob' : 'grep';
  if (hasField(input, 'subagenttype')) return 'task';
  if (hasField(input, 'skill')) return 'skill';
  return 'other';
}

function fileKind(name: string, input: Json): ToolKind {
  if (['oldstring', 'oldstr', 'oldtext', 'edits', 'patch', 'diff', 'newstring'].some((key) => hasField(input, key))) {
    return 'edit';
  }
  if (['content', 'contents', 'filetext', 'text'].some((key) => hasField(input, key))) return 'write';
  if (['pattern', 'regex', 'query'].some((key) => hasField(input, key))) return 'grep';
  if (/read|view|open|show|load|cat|head|tail/i.test(name)) return 'read';
  if (/delete|remove|move|rename/i.test(name)) return 'edit';
  if (/list|dir|tree|glob/i.test(name)) return 'glob';
  if (readCommand(input) !== undefined) return 'shell';
  return 'other';
}

/** Every file a call reads, edits or writes, normalized; a patch names several. Empty for other kinds of tool. */
export function toolTargets(name: string, input: Json): readonly string[] {
  const scripted = typeof input === 'string' && toBareName(name) === SCRIPTED ? readScript(input) : [];
  if (scripted.length > 0) return [...new Set(scripted.flatMap((call) => toolTargets(call.tool, call.input)))];
  const kind = toolKind(name, input);
  if (kind !== 'read' && kind !== 'edit' && kind !== 'write') return [];
  const patch =
    typeof input === 'string'
      ? input
      : (readField(input, 'patchtext') ?? readField(input, 'patch') ?? readField(input, 'input'));
  if (typeof patch === 'string') {
    const touched = readPatch(patch).map((touch) => touch.path);
    if (touched.length > 0) return touched;
  }
  return readPaths(input);
}

/** The file a call reads, edits or writes, normalized; the first, where it names several. */
export const toolTarget = (name: string, input: Json): string | undefined => toolTargets(name, input)[0];

import { hasPrefix } from './command-prefix.ts';

/** What a tool wants to do that a person should know of first. */
export interface PermissionAsk {
  readonly tool: string;
  /** All of it, with its line ends: the command, or the file. */
  readonly what: string;
  /** Why it is asked for. */
  readonly why: string;
  /** All that would be written, where it is a file. */
  readonly content?: string;
  /** What `always` is about, where it is neither a command nor a file. */
  readonly noun?: string;
  /** `always` is about the tool, whatever it is called with. */
  readonly forTool?: boolean;
  /** Asked in these words instead, about what stands on the screen: yes or no, and nothing for always. */
  readonly question?: string;
  /** The words that commands like this one begin with, where `always-prefix` may be answered. */
  readonly prefix?: string;
}

/**
 * `always`: for this very command or file, or for a tool as a whole where `forTool` says so, `always-prefix`: for commands that begin with the words of `prefix` and hold
 * nothing but words; both until the agent ends.
 */
export type PermissionAnswer = 'once' | 'always' | 'always-prefix' | 'no';

/** The port: somebody who can answer. Without one everything that must be asked for is refused. */
export type AskPermission = (ask: PermissionAsk, signal: AbortSignal) => Promise<PermissionAnswer>;

/** What `always` was said to. */
export interface PermissionRule {
  readonly tool: string;
  /** `exact`: this and nothing else; `prefix`: commands that begin with these words; `tool`: whatever the tool is called with. */
  readonly covers: 'exact' | 'prefix' | 'tool';
  readonly what: string;
}

/** Who decides what tools may do: `allowAll`, `refuseAll`, `askingPermission()`, or your own rules. */
export interface Permission {
  /** Undefined: go ahead. Else the refusal, as the model is told it. */
  refusal(ask: PermissionAsk, signal: AbortSignal): Promise<string | undefined>;
  /** The same for a write inside the folder. Missing: such writes are the agent's work, and nobody is asked. */
  editRefusal?(ask: PermissionAsk, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Whether commands that the folder's settings name may run by themselves: now, or always as they are now. Missing where
   * nobody can be asked: they are not run.
   */
  trust?(ask: PermissionAsk, signal: AbortSignal): Promise<'once' | 'always' | 'no'>;
  /** What is allowed without being asked for again, where there is such a thing. */
  rules?(): readonly PermissionRule[];
  /** From now on everything is asked for again. */
  forgetRules?(): void;
}

/** Where everything is allowed, as with `--allow`. */
export const allowAll: Permission = { refusal: async () => undefined, trust: async () => 'once' };

/** Where nobody can be asked. */
export const refuseAll: Permission = {
  refusal: async ({ tool, what }) =>
    `Not allowed: ${tool} ${what}. Nobody is there to ask; the agent was started without --allow. Do what can be done without it, and say so.`,
};

function isCovered({ tool, what }: PermissionAsk, rule: PermissionRule): boolean {
  if (rule.tool !== tool) return false;
  if (rule.covers === 'tool') return true;
  return rule.covers === 'exact' ? rule.what === what : hasPrefix(what, rule.what);
}

/** Asks a person every time, unless what is asked for was allowed for always. */
export function askingPermission(ask: AskPermission): Permission {
  let rules: readonly PermissionRule[] = [];
  const allow = (rule: PermissionRule): void => {
    rules = [...rules, rule];
  };
  return {
    async refusal(asked, signal) {
      const { tool, what, prefix, forTool = false } = asked;
      if (rules.some((rule) => isCovered(asked, rule))) return undefined;
      const answer = await ask(asked, signal);
      if (answer === 'always') allow(forTool ? { tool, covers: 'tool', what: '' } : { tool, covers: 'exact', what });
      if (answer === 'always-prefix' && prefix !== undefined) allow({ tool, covers: 'prefix', what: prefix });
      return answer === 'no' ? `Not allowed: the user said no to ${tool} ${what}.` : undefined;
    },
    async trust(asked, signal) {
      const answer = await ask(asked, signal);
      return answer === 'always-prefix' ? 'once' : answer;
    },
    rules: () => rules,
    forgetRules() {
      rules = [];
    },
  };
}

/** What a tool wants to do that a person should know of first. */
export interface PermissionAsk {
  readonly tool: string;
  /** In one line: the command, or the file. */
  readonly what: string;
  /** Why it is asked for. */
  readonly why: string;
}

/** `always`: for this tool, until the agent ends. */
export type PermissionAnswer = 'once' | 'always' | 'no';

/** The port: somebody who can answer. Without one everything that must be asked for is refused. */
export type AskPermission = (ask: PermissionAsk, signal: AbortSignal) => Promise<PermissionAnswer>;

/** Who decides what tools may do: `allowAll`, `refuseAll`, `askingPermission()`, or your own rules. */
export interface Permission {
  /** Undefined: go ahead. Else the refusal, as the model is told it. */
  refusal(ask: PermissionAsk, signal: AbortSignal): Promise<string | undefined>;
}

/** Where everything is allowed, as with `--allow`. */
export const allowAll: Permission = { refusal: async () => undefined };

/** Where nobody can be asked. */
export const refuseAll: Permission = {
  refusal: async ({ tool, what }) =>
    `Not allowed: ${tool} ${what}. Nobody is there to ask; the agent was started without --allow. Do what can be done without it, and say so.`,
};

/** Asks a person every time, until the answer is `always`. */
export function askingPermission(ask: AskPermission): Permission {
  const granted = new Set<string>();
  return {
    async refusal(asked, signal) {
      if (granted.has(asked.tool)) return undefined;
      const answer = await ask(asked, signal);
      if (answer === 'always') granted.add(asked.tool);
      return answer === 'no' ? `Not allowed: the user said no to ${asked.tool} ${asked.what}.` : undefined;
    },
  };
}

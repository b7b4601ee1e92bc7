import type { Permission, PermissionAsk } from '../world/permission.ts';
import type { HookCommands } from './command-hooks.ts';

/** Commands that a settings file wants run, and whether they may be. */
export interface SettingsHooks {
  readonly commands: HookCommands;
  /** The file that they stand in, as people write it. */
  readonly source: string;
  /** Missing where they are the user's own: those are always run. */
  readonly trust?: Trust;
}

/** What the user said about these very commands in this folder. */
export interface Trust {
  isGiven(): Promise<boolean>;
  remember(): Promise<void>;
}

/** Lets commands of a folder run only once the user has said so. */
export interface TrustGate {
  mayRun(): boolean;
  /** Asks where it must, once; before anything that could run them. */
  settle(signal: AbortSignal): Promise<void>;
}

interface GateParts {
  /** Missing where nothing need be asked. */
  readonly trust: Trust | undefined;
  readonly permission: Permission;
  /** All that would run, as it is. */
  readonly ask: PermissionAsk;
  /** Hears why nothing runs. */
  readonly refused: (why: string) => void;
}

export function newTrustGate({ trust, permission, ask, refused }: GateParts): TrustGate {
  let state: 'open' | 'yes' | 'no' = trust === undefined ? 'yes' : 'open';
  return {
    mayRun: () => state === 'yes',
    async settle(signal) {
      if (state !== 'open' || trust === undefined) return;
      if (await trust.isGiven()) {
        state = 'yes';
        return;
      }
      if (permission.trust === undefined) {
        state = 'no';
        return refused('nobody can be asked; start the agent here in a terminal once, or pass --allow');
      }
      const answer = await permission.trust(ask, signal);
      state = answer === 'no' ? 'no' : 'yes';
      if (answer === 'no') refused('you said no; it is asked again at the next start');
      if (answer === 'always') await trust.remember();
    },
  };
}

/** All of it, line by line: when, and the command as it is. */
export const askForHooks = ({ commands, source }: SettingsHooks): PermissionAsk => ({
  tool: 'hooks',
  noun: 'these, as they are now',
  what: Object.entries(commands)
    .flatMap(([moment, list]) =>
      list.map(({ command, tools }) => `${moment}${tools === undefined ? '' : ` (${tools.join(', ')})`}: ${command}`),
    )
    .join('\n'),
  why: `${source} wants commands run by themselves`,
});

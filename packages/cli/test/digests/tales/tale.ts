/** A step of a tale: what the model said, or did and saw. */
export type Step =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'read'; readonly path: string; readonly shows: string }
  | { readonly type: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly type: 'run'; readonly command: string; readonly shows: string; readonly fails?: true };

/** A session that somebody made up, before an agent's format is put around it. */
export interface Tale {
  readonly cwd: string;
  readonly turns: readonly { readonly asks: string; readonly steps: readonly Step[] }[];
}

export const say = (text: string): Step => ({ type: 'say', text });
export const read = (path: string, shows: string): Step => ({ type: 'read', path, shows });
export const edit = (path: string, from: string, to: string): Step => ({ type: 'edit', path, from, to });
export const run = (command: string, shows: string): Step => ({ type: 'run', command, shows });
export const fail = (command: string, shows: string): Step => ({ type: 'run', command, shows, fails: true });

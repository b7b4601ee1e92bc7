/** What code takes across a compaction, whatever the summary says. */
export interface CarryItem {
  readonly kind:
    | 'file'
    | 'skill'
    | 'plan'
    | 'todo'
    | 'cwd'
    | 'branch'
    | 'mode'
    | 'task'
    | 'tools'
    | 'approval'
    | 'note';
  readonly name: string;
  readonly text: string;
}

/** The port: a host states what must not be left behind. Newest first within a kind. */
export interface Carry {
  carry(options: { readonly signal?: AbortSignal }): Promise<readonly CarryItem[]>;
}

/** When money alone is a reason to compact, though the window has room. All of it is data. */
export interface MoneyRule {
  /** Where the provider's cache is cold, a view of more than so many times its target is compacted: all is written anew anyway. */
  readonly coldFrom: number;
  /** What a call adds, in tokens, where the session does not tell yet: the mean of recorded sessions. */
  readonly growth: number;
  /** What an agent reads again because a compaction hid it, in tokens: each compaction costs that, too. */
  readonly again: number;
  /** Of the target, what stays of it where calls come back to next to no file: nobody looks at the tail again. All of it, where none is stated. */
  readonly keepLeast?: number;
}

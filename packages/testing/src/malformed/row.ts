/** A rule, the offending place, and a body that breaks this rule. */
export type Row = readonly [rule: string, path: string, body: object, previous?: object];

/** Odd but right. */
export type Good = readonly [what: string, body: object, previous?: object];

export const user = (content: unknown = 'hi') => ({ role: 'user', content });

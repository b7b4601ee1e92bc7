/** The module that worker threads run: beside this one, built or not. */
export const threadFile = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.mjs', import.meta.url);

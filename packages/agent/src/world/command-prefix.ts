/** What a person may allow for all commands that begin alike, and which commands those are. */

/** Words without anything that a shell takes for more than a word: operators, quotes, variables, patterns, line ends. */
const PLAIN = /^[\p{Letter}\p{Number}_@+=:,./-]+(?: +[\p{Letter}\p{Number}_@+=:,./-]+)*$/u;

/** Programs that run what follows them, or destroy it: to allow their first words would be to allow everything. */
const TOO_WIDE: ReadonlySet<string> = new Set(
  (
    'ash bash busybox chroot command csh dash doas env eval exec fish flock ksh nice nohup parallel screen setsid sh ssh su sudo ' +
    'time timeout tmux watch xargs zsh chgrp chmod chown cp curl dd find install kill killall ln mkfs mount mv pkill rm rmdir ' +
    'rsync scp shred tee touch truncate wget'
  ).split(' '),
);

/** What runs a script of the project's own: its name belongs to the beginning. */
const NAMES_FOLLOW: ReadonlySet<string> = new Set(['run', 'run-script', 'exec']);

const isName = (word: string | undefined): word is string => word !== undefined && !word.startsWith('-');

/** The program and what it is to do, such as `npm test` or `npm run build`; undefined where that would allow too much. */
export function findPrefix(command: string): string | undefined {
  if (!PLAIN.test(command)) return undefined;
  const [program = '', verb, name] = command.split(/ +/);
  const called = program.split('/').at(-1) ?? '';
  // `PATH=elsewhere npm test` is no npm.
  if (program.includes('=') || TOO_WIDE.has(called) || !isName(verb)) return undefined;
  if (!NAMES_FOLLOW.has(verb)) return `${program} ${verb}`;
  return isName(name) ? `${program} ${verb} ${name}` : undefined;
}

/** Word by word, and with nothing behind it that a shell would take for more than words. */
export const hasPrefix = (command: string, prefix: string): boolean =>
  PLAIN.test(command) && `${command.replace(/ +/g, ' ')} `.startsWith(`${prefix} `);

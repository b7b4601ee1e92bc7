/** `**` any folders, `*` and `?` within one name, `{a,b}` either, `[abc]` one of. */
export function globPattern(pattern: string): RegExp {
  let source = '';
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if (character === '*' && pattern[i + 1] === '*') {
      const isFolder = pattern[i + 2] === '/';
      source += isFolder ? '(?:.*/)?' : '.*';
      i += isFolder ? 2 : 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '{') {
      source += '(?:';
      depth++;
    } else if (character === '}' && depth > 0) {
      source += ')';
      depth--;
    } else if (character === ',' && depth > 0) source += '|';
    else if (character === '[' && pattern.indexOf(']', i + 2) > 0) {
      const end = pattern.indexOf(']', i + 2);
      const body = pattern
        .slice(i + 1, end)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\');
      source += `[${body}]`;
      i = end;
    } else source += character.replace(/[\\^$.|+()[\]{}]/, '\\$&');
  }
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}

const quoteOrLog = /^\s*(?:>|\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|at \S+ \(|File "|\+ |- \$|\$ )/;

/** The sentences of the user's words that are prose: without code blocks, quoted lines and pasted logs. */
export function splitSentences(words: string): readonly string[] {
  const prose = words.includes('```') ? words.replace(/```[\s\S]*?(?:```|$)/g, '\n') : words;
  return prose
    .split(/\n+/)
    .filter((line) => !quoteOrLog.test(line))
    .flatMap((line) => line.split(/(?<=[.!?…]["')\]]?)\s+(?=[^\sa-z])|(?<=[。！？；])/u))
    .map((sentence) => sentence.replace(/^[\s#*•–—-]+(?=\S)|^\s*\d+[.)]\s+/g, '').trim())
    .filter((sentence) => sentence !== '' && !/(?:\S=\S.*){3}/.test(sentence));
}

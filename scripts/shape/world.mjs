import { stripWords } from './words.mjs';

/** What core may not touch. */
const WORLD = [
  [/\bDate\.now\(|new Date\(\s*\)|performance\.now\(/, 'the clock'],
  [/Math\.random\(|crypto\.|randomUUID/, 'randomness'],
  [/\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(/, 'the network'],
  [/\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(/, 'timers'],
  [/\bprocess\.|\bglobalThis\.process|\brequire\(/, 'the process'],
];

/** Where a session lets others of its process have their turn. What it comes to does not depend on it. */
const EVENT_LOOP = 'packages/core/src/session/event-loop.ts';

/** Core is a pure function of what it is given: no clock, files, network, randomness, timers, process. */
export const checkWorld = (sources) =>
  sources
    .filter(({ file, name, place }) => name === 'core' && place === 'src' && file !== EVENT_LOOP)
    .flatMap(({ file, text }) => {
      const code = stripWords(file, text);
      return WORLD.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${file}: core touches ${what}`);
    });
